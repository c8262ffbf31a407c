/** The Web UI cuts off the end of a page; an empty line is no loss. */
const SPARE_LINE = '\u200b';

/** A page of the Web UI, as Markdown; empty paragraphs are left out. */
export function formatPage(paragraphs: readonly string[]): string {
  return [...paragraphs, SPARE_LINE].filter((paragraph) => paragraph !== '').join('\n\n');
}

/** The Web UI takes a list for one only behind an empty line. */
export function formatList(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `${heading}:\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
