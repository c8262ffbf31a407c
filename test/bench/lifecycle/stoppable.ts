export interface Stoppable {
  stop(): Promise<unknown>;
}

export type Keep = <Started extends Stoppable>(
  starting: Started | Promise<Started>,
) => Promise<Started>;

/** Stops all that `work` started through `keep`, the newest first, also when it fails. */
export async function stopAfterwards<T>(work: (keep: Keep) => Promise<T>): Promise<T> {
  const kept: Stoppable[] = [];
  const keep: Keep = async (starting) => {
    const started = await starting;
    kept.push(started);
    return started;
  };
  try {
    return await work(keep);
  } finally {
    for (const started of kept.toReversed()) await started.stop();
  }
}
