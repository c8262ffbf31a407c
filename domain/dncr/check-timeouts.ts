const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;
/** For the task queue, the database and Temporal between two of them. */
const SLACK_MS = 1000;

export type CheckTimeouts = ReturnType<typeof checkTimeouts>;

/** The timeouts of one check, all derived from two settings. */
export function checkTimeouts({ tries, timeoutMs }: { tries: number; timeoutMs: number }) {
  const askMs = tries * timeoutMs + pausesMs(tries) + SLACK_MS;
  const checkMs = askMs + 2 * SLACK_MS;
  return {
    tries,
    /** One attempt: token and request together. */
    tryMs: timeoutMs,
    /** For Temporal to accept the workflow; a server that has not by then counts as unreachable. */
    startMs: timeoutMs,
    /** All attempts with the pauses between them. */
    askMs,
    /** The whole workflow, as long as its leases hold. */
    checkMs,
    /** How long the request waits for the workflow. */
    answerMs: checkMs + SLACK_MS,
  };
}

function pausesMs(tries: number): number {
  const pauses = Array.from({ length: tries - 1 }, (_, index) => FIRST_PAUSE_MS * 2 ** index);
  return pauses.reduce((sum, pause) => sum + Math.min(pause, LONGEST_PAUSE_MS), 0);
}
