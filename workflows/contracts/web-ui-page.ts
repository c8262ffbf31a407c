/** The Web UI cuts off the end of a page; an empty line is no loss. */
const SPARE_LINE = '\u200b';

/** A zero-width space keeps the Web UI from turning bare addresses into links; a backslash does not. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s])+/gu, ' ')
    .trim()
    .replace(/[\\`*_~[\]<>&|]|^[#+=-]|(?<=^\d+)[.)]/g, '\\$&')
    .replace(/(?<=:)(?=\/\/)|(?<=www)(?=\.)|(?<=@)/gi, SPARE_LINE);
}

/** A page of the Web UI, as Markdown; empty paragraphs are left out. */
export function formatPage(paragraphs: readonly string[]): string {
  return [...paragraphs, SPARE_LINE].filter((paragraph) => paragraph !== '').join('\n\n');
}

/** Formats a list behind an empty line, without which the Web UI does not recognise it. */
export function formatList(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `${heading}:\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
