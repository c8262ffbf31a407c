const LINE_EVERY_MS = 60_000;

/** Logs each reason at once, then at most once a minute. `times` counts the failures since the last line. */
export function createFailureLog<Fields extends { reason: string }>(options: {
  /** Milliseconds of a monotonic clock. */
  nowMs: () => number;
  writeFailure: (fields: Fields & { times: number }) => void;
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
    /** Logs the uncounted failures before the process ends. */
    flush(): void {
      if (times > 0 && last) write(last);
    },
  };
}
