import type { Error as Envelope } from './generated.ts';

export interface Message {
  method: string;
  url: string;
  body?: unknown;
  token?: string;
  timeoutMs: number;
}

/** An answer other than success. Branch on `code`. */
export class LeadServiceError extends Error {
  override name = 'LeadServiceError';
  readonly statusCode: number;
  readonly code: string;
  /** One text per failing field, on 422. */
  readonly errors: readonly string[];
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | null;

  constructor(statusCode: number, envelope: Partial<Envelope>, retryAfter: string | null) {
    super([envelope.message ?? `HTTP ${statusCode}`, ...(envelope.errors ?? [])].join('\n'));
    this.statusCode = statusCode;
    this.code = envelope.code ?? 'UNKNOWN';
    this.errors = envelope.errors ?? [];
    this.details = envelope.details;
    this.retryAfterSeconds = retryAfter === null ? null : Number(retryAfter);
  }
}

/** One request; throws a LeadServiceError for what the service refuses, any other error for the network. */
export async function send({ method, url, body, token, timeoutMs }: Message): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.ok) return answer.json();
  const envelope = (await answer.json().catch(() => ({}))) as Partial<Envelope>;
  throw new LeadServiceError(answer.status, envelope, answer.headers.get('retry-after'));
}
