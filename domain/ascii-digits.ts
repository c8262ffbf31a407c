const DIGIT_OF_ANOTHER_KEYBOARD = /[٠-٩۰-۹０-９]/g;

/** Arabic-Indic, Persian and full-width digits as ASCII ones. */
export function withAsciiDigits(text: string): string {
  // The code points of each script's digits end in the digit.
  return text.replace(DIGIT_OF_ANOTHER_KEYBOARD, (digit) => String(digit.charCodeAt(0) % 16));
}
