import { hash } from 'node:crypto';

export type Dice = ReturnType<typeof createDice>;

/** Random choices, the same for the same seed. */
export function createDice(seed: string) {
  let drawn = 0;
  /** From 0 to just below 1. */
  const next = () => hash('sha1', `${seed}/${drawn++}`, 'buffer').readUInt32BE() / 2 ** 32;
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
