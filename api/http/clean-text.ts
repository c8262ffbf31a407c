/** Without NUL and lone surrogates, which Postgres takes in no text. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
