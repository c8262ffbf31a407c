/** The Web UI cuts off the end of a page; an empty line is no loss. */
const SPARE_LINE = '\u200b';

/**
 * A text from outside within a page or a summary: shown as it is, without a line, link, image, HTML or other
 * Markdown of its own. No backslash stops the Web UI from making links of bare addresses; a space without width does.
 */
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

/** The Web UI takes a list for one only behind an empty line. */
export function formatList(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `${heading}:\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
