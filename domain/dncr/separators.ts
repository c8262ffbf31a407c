/**
 * Spaces and dashes of any kind: also the soft hyphen, the minus sign and the zero-width space, which
 * come along when a number is copied from a document.
 */
const SEPARATORS = /[\s\p{Zs}\p{Pd}\u00AD\u200B\u2043\u2212]/gu;

export function withoutSeparators(text: string): string {
  return text.replace(SEPARATORS, '');
}
