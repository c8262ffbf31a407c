/** The timeouts of one check, all derived from two settings. */
export interface CheckTimeouts {
  tries: number;
  /** One attempt: token and request together. */
  tryMs: number;
  /** All attempts with the pauses between them. */
  askMs: number;
  /** For Temporal to accept the workflow; a server that has not by then counts as unreachable. */
  startMs: number;
  /** The whole workflow, as long as its leases hold. */
  checkMs: number;
  /** How long the request waits for the workflow. */
  answerMs: number;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;
/** For the task queue, the database and Temporal between two of them. */
const SLACK_MS = 1000;

export function checkTimeouts(settings: { tries: number; timeoutMs: number }): CheckTimeouts {
  const { tries, timeoutMs } = settings;
  const askMs = tries * timeoutMs + pausesMs(tries) + SLACK_MS;
  const checkMs = askMs + 2 * SLACK_MS;
  const answerMs = checkMs + SLACK_MS;
  return { tries, tryMs: timeoutMs, startMs: timeoutMs, askMs, checkMs, answerMs };
}

function pausesMs(tries: number): number {
  const pauses = Array.from({ length: tries - 1 }, (_, index) => FIRST_PAUSE_MS * 2 ** index);
  return pauses.reduce((sum, pause) => sum + Math.min(pause, LONGEST_PAUSE_MS), 0);
}
