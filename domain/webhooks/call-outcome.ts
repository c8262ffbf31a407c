import { retryAfterMs } from './retry-schedule.ts';

const callErrors = {
  timeout: 'no answer came in time',
  forbidden_address: 'its address is not a public one, so no connection was made',
  name_not_found: 'its name is not known',
  no_name_server: 'no name server answered for its name',
  connection_refused: 'it refused the connection',
  connection_closed: 'it closed the connection without an answer',
  tls: 'no trusted TLS connection could be made',
  bad_answer: 'what it answered is not HTTP',
  unreachable: 'it could not be reached',
} as const;
export type CallError = keyof typeof callErrors;

export const FORBIDDEN_ADDRESS = 'ERR_FORBIDDEN_ADDRESS';

export const NO_NAME_SERVER = 'ERR_NO_NAME_SERVER';

const ERROR_BY_CODE: Record<string, CallError> = {
  [FORBIDDEN_ADDRESS]: 'forbidden_address',
  ENOTFOUND: 'name_not_found',
  [NO_NAME_SERVER]: 'no_name_server',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  ETIMEDOUT: 'timeout',
};

/** Drops the message of the error, which may quote the request. */
export function toCallError(error: unknown): CallError {
  const code = codeOf(error);
  if (ERROR_BY_CODE[code]) return ERROR_BY_CODE[code];
  if (code.startsWith('HPE_')) return 'bad_answer';
  if (/^(ERR_(TLS|SSL)|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls';
  return 'unreachable';
}

/** The errors of several IP addresses arrive as one AggregateError. */
function codeOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return (first as { code?: string } | undefined)?.code ?? '';
}

export type CallResult =
  | {
      kind: 'responded';
      status: number;
      retryAfter: string | null;
      bodyPrefix: string;
      latencyMs: number;
    }
  | { kind: 'no_response'; error: CallError; latencyMs: number };

export type Outcome =
  | { kind: 'delivered'; text: string }
  | { kind: 'gone'; text: string }
  | { kind: 'failed'; text: string; error: string; retryAfterMs: number | null };

export function classifyCall(result: CallResult, now: Date): Outcome {
  if (result.kind === 'responded')
    return classifyStatus(result.status, retryAfterMs(result.retryAfter, now));
  const { error } = result;
  return { kind: 'failed', text: callErrors[error], error, retryAfterMs: null };
}

export function describeFailure(attempt: {
  statusCode: number | null;
  error: string | null;
}): string {
  if (attempt.statusCode !== null) return classifyStatus(attempt.statusCode, null).text;
  return callErrors[attempt.error as CallError];
}

function classifyStatus(status: number, retryAfterMs: number | null): Outcome {
  const text = `it answered ${status}`;
  if (status >= 200 && status < 300) return { kind: 'delivered', text };
  if (status === 410) return { kind: 'gone', text };
  const isRedirect = status >= 300 && status < 400;
  return {
    kind: 'failed',
    text: isRedirect ? `${text}, and redirects are not followed` : text,
    error: isRedirect ? 'redirect' : 'status',
    retryAfterMs,
  };
}
