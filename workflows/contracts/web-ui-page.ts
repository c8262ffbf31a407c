/** The Web UI cuts off the end of a page. */
const SPARE_LINE = '\u200b';

/** A zero-width space keeps the Web UI from turning URLs into links, unlike a backslash. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s])+/gu, ' ')
    .trim()
    .replace(/[\\`*_~[\]<>&|]|^[#+=-]|(?<=^\d+)[.)]/g, '\\$&')
    .replace(/(?<=:)(?=\/\/)|(?<=www)(?=\.)|(?<=@)/gi, SPARE_LINE);
}

export function formatPage(paragraphs: readonly string[]): string {
  return [...paragraphs, SPARE_LINE].filter((paragraph) => paragraph !== '').join('\n\n');
}

export function formatList(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `${heading}:\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
