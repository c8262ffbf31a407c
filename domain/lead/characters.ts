/** Characters as a person counts them, so that 255 Arabic letters or emoji fit in 255. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
