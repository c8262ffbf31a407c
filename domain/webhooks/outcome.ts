import { assertNever } from '../assert-never.ts';
import { retryAfterMs } from './retry-after.ts';

/** Why no answer came. */
export type CallError =
  | 'timeout'
  | 'forbidden_address'
  | 'name_not_found'
  | 'connection_refused'
  | 'connection_closed'
  | 'tls'
  | 'bad_answer'
  | 'unreachable';

/** What one call of an endpoint came to. */
export type Answer =
  | { kind: 'answered'; status: number; retryAfter: string | null; head: string; latencyMs: number }
  | { kind: 'no_answer'; error: CallError; latencyMs: number };

/** What it means (Events): 2xx is success, 410 switches the endpoint off, all else is tried again. */
export type Outcome =
  | { kind: 'delivered'; text: string }
  | { kind: 'gone'; text: string }
  | { kind: 'failed'; text: string; error: string; retryAfterMs: number | null };

export function outcomeOf(answer: Answer, now: Date): Outcome {
  switch (answer.kind) {
    case 'no_answer':
      return {
        kind: 'failed',
        text: noAnswer(answer.error),
        error: answer.error,
        retryAfterMs: null,
      };
    case 'answered':
      return outcomeOfStatus(answer.status, retryAfterMs(answer.retryAfter, now));
    default:
      return assertNever(answer);
  }
}

/** How an attempt that was recorded failed, as `outcomeOf` put it. */
export function describeFailure(attempt: {
  statusCode: number | null;
  error: string | null;
}): string {
  const { statusCode, error } = attempt;
  return statusCode === null
    ? noAnswer(error as CallError)
    : outcomeOfStatus(statusCode, null).text;
}

function outcomeOfStatus(status: number, retryAfterMs: number | null): Outcome {
  const text = `it answered ${status}`;
  if (status >= 200 && status < 300) return { kind: 'delivered', text };
  if (status === 410) return { kind: 'gone', text };
  const isRedirect = status >= 300 && status < 400;
  if (!isRedirect) return { kind: 'failed', text, error: 'status', retryAfterMs };
  return {
    kind: 'failed',
    text: `${text}, and redirects are not followed`,
    error: 'redirect',
    retryAfterMs,
  };
}

function noAnswer(error: CallError): string {
  switch (error) {
    case 'timeout':
      return 'no answer came in time';
    case 'forbidden_address':
      return 'its address is not a public one, so no connection was made';
    case 'name_not_found':
      return 'its name is not known';
    case 'connection_refused':
      return 'it refused the connection';
    case 'connection_closed':
      return 'it closed the connection without an answer';
    case 'tls':
      return 'no trusted TLS connection could be made';
    case 'bad_answer':
      return 'what it answered is not HTTP';
    case 'unreachable':
      return 'it could not be reached';
    default:
      return assertNever(error);
  }
}
