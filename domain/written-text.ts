const DIGIT_OF_ANOTHER_KEYBOARD = /[٠-٩۰-۹０-９]/g;

/** Arabic-Indic, Persian and full-width digits as ASCII ones. */
export function withAsciiDigits(text: string): string {
  // The code points of each script's digits end in the digit.
  return text.replace(DIGIT_OF_ANOTHER_KEYBOARD, (digit) => String(digit.charCodeAt(0) % 16));
}

/**
 * Characters without a glyph of their own: direction marks, zero-width characters, byte order marks, variation
 * selectors. Copied Arabic text is full of them.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes invisible characters. Intake compares and parses every value in this form. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Whether a text has only white space and invisible characters, such as the direction mark that a form adds. */
export function isBlankText(text: string): boolean {
  return withoutInvisible(text).trim() === '';
}
