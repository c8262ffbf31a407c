/** How long a check may take, as milliseconds: every bound follows from two settings. */
export interface CheckTimeouts {
  tries: number;
  /** One try: token and question together. */
  tryMs: number;
  /** All tries with the pauses between them. */
  askMs: number;
  /** For the server to take the check in; one that does not answer by then is away. */
  startMs: number;
  /** The whole workflow, as long as its claims hold. */
  checkMs: number;
  /** How long a caller waits for it. */
  answerMs: number;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;
/** For the queue, the database and the server between the two. */
const SLACK_MS = 1000;

export function checkTimeouts(settings: { tries: number; timeoutMs: number }): CheckTimeouts {
  const { tries, timeoutMs } = settings;
  const askMs = tries * timeoutMs + pausesMs(tries) + SLACK_MS;
  const checkMs = askMs + 2 * SLACK_MS;
  return {
    tries,
    tryMs: timeoutMs,
    startMs: timeoutMs,
    askMs,
    checkMs,
    answerMs: checkMs + SLACK_MS,
  };
}

function pausesMs(tries: number): number {
  const pauses = Array.from({ length: tries - 1 }, (_, index) => FIRST_PAUSE_MS * 2 ** index);
  return pauses.reduce((sum, pause) => sum + Math.min(pause, LONGEST_PAUSE_MS), 0);
}
