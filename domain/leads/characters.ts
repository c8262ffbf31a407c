const SURROGATE_PAIR = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/** Characters as a person counts them, so that 255 Arabic letters or emoji fit in 255. */
export function charactersIn(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0);
}
