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
