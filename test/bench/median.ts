function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Takes the median of each figure by itself, over all rounds. */
export function medianOfRounds<Figures extends Record<keyof Figures, number>>(
  rounds: readonly Figures[],
): Figures {
  const names = Object.keys(rounds[0] ?? {}) as (keyof Figures)[];
  const medians = names.map((name) => [name, median(rounds.map((round) => round[name]))]);
  return Object.fromEntries(medians) as Figures;
}
