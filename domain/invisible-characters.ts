/**
 * Characters without a glyph of their own: direction marks, zero-width characters, byte order marks, variation
 * selectors. Copied Arabic text is full of them.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The text as a reader sees it. Every value that intake compares or parses is read so. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Of white space and invisible characters alone, such as the direction mark that a form puts before nothing. */
export function isBlankText(text: string): boolean {
  return withoutInvisible(text).trim() === '';
}
