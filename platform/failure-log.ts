/** At most one line a minute for each reason while a failure goes on. */
const LINE_EVERY_MS = 60_000;

/**
 * Each reason at once, then one line a minute; `times` counts the failures since. A failure within a minute
 * of the last line of its reason waits for its turn.
 */
export function createFailureLog<Fields extends { reason: string }>(options: {
  /** Milliseconds of a clock that only goes forward. */
  nowMs: () => number;
  writeFailure: (fields: Fields & { times: number }) => void;
  /** Called once a failure that was logged is over. */
  writeEnd: (fields: { times: number }) => void;
}) {
  const { nowMs, writeFailure, writeEnd } = options;
  let last: Fields | null = null;
  let times = 0;
  let isOpen = false;
  const writtenAtMs = new Map<string, number>();

  function write(fields: Fields): void {
    writeFailure({ ...fields, times });
    writtenAtMs.set(fields.reason, nowMs());
    [times, isOpen] = [0, true];
  }

  return {
    failed(fields: Fields): void {
      last = fields;
      times += 1;
      const beforeMs = writtenAtMs.get(fields.reason) ?? -Infinity;
      if (nowMs() - beforeMs >= LINE_EVERY_MS) write(fields);
    },
    succeeded(): void {
      if (!isOpen) return;
      writeEnd({ times });
      [times, isOpen] = [0, false];
    },
    /** Logs the failures that no line has counted yet, before the process ends. */
    flush(): void {
      if (times > 0 && last) write(last);
    },
  };
}
