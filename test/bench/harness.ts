import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { tableText } from '../../cli/table.ts';

/** What every part gets. */
export interface Place {
  folder: string;
  /** A migrated, empty database that nobody uses. */
  emptyUrl: string;
  postgresPid: number;
  /** Makes a database of a part's own from another one that nobody uses. */
  copyOf(url: string, name: string): Promise<string>;
  env: NodeJS.ProcessEnv;
}

/** Measures and prints its figures. */
export type Bench = (place: Place) => Promise<void>;

export interface Latency {
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  maxMs: number;
  perSecond: number;
}

/** Runs `work` for 0 to `times` - 1, `atOnce` of them at any moment. */
export async function latencyOf(
  work: (index: number) => Promise<void>,
  { from = 0, times, atOnce }: { from?: number; times: number; atOnce: number },
): Promise<Latency> {
  const spans: number[] = [];
  let next = from;
  async function worker(): Promise<void> {
    while (next < from + times) {
      const index = next++;
      const begun = performance.now();
      await work(index);
      spans.push(performance.now() - begun);
    }
  }
  const begun = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  const seconds = (performance.now() - begun) / 1000;
  spans.sort((a, b) => a - b);
  const at = (share: number) => spans[Math.floor((spans.length - 1) * share)] ?? 0;
  return {
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    maxMs: at(1),
    perSecond: times / seconds,
  };
}

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

export function printTable(head: string[], rows: readonly (string | number)[][]): void {
  print(tableText(head, rows));
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Calls `work` at a steady pace, however long each call takes. */
export async function paced(
  work: (index: number) => Promise<void>,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<void> {
  const calls: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    await sleep(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()));
    const call = work(index);
    call.catch(() => undefined); // thrown below, once all are sent
    calls.push(call);
  }
  await Promise.all(calls);
}
