/** The Web UI cuts off the end of a page; an empty line is no loss. */
const SPARE_LINE = '\u200b';

/** Parts of a page of the Web UI, as Markdown; empty ones are left out. */
export function formatPage(parts: readonly string[]): string {
  return [...parts, SPARE_LINE].filter((part) => part !== '').join('\n\n');
}

/** The Web UI takes a list for one only behind an empty line. */
export function formatList(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `${heading}:\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
