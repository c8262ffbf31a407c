function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The medians of each side. The rounds of all sides alternate; the first one is a warm-up, and does not count. */
export async function alternate<Side, Figures extends Record<keyof Figures, number>>(
  rounds: number,
  sides: readonly Side[],
  measure: (side: Side, round: number) => Promise<Figures>,
): Promise<Figures[]> {
  const figures: Figures[][] = sides.map(() => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, side] of sides.entries()) figures[at]?.push(await measure(side, round));
  return figures.map((each) => medianOfRounds(each.slice(1)));
}

/** Takes the median of each figure by itself, over all rounds. */
export function medianOfRounds<Figures extends Record<keyof Figures, number>>(
  rounds: readonly Figures[],
): Figures {
  const names = Object.keys(rounds[0] ?? {}) as (keyof Figures)[];
  const medians = names.map((name) => [name, median(rounds.map((round) => round[name]))]);
  return Object.fromEntries(medians) as Figures;
}
