export type Dice = ReturnType<typeof createDice>;

/** Random choices, the same for the same seed. */
export function createDice(seed: string) {
  let state = hash(seed);

  /** Mulberry32: small, and even enough for a demo. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both ends included. */
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const chance = (probability: number) => next() < probability;
  /** Undefined for an empty list. */
  const pickAny = <T>(list: readonly T[]): T | undefined => list[int(0, list.length - 1)];
  /** Picks from a list that is never empty. */
  const pick = <T>(list: readonly T[]): T => pickAny(list) as T;
  const shuffle = <T>(list: readonly T[]): T[] =>
    list
      .map((item) => ({ item, order: next() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ item }) => item);
  return { int, pick, pickAny, chance, shuffle };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return value >>> 0;
}
