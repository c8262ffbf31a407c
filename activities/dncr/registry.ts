import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { addAbortListener } from 'node:events';
import { matchAnswers } from '../../domain/dncr/registry-answer.ts';
import { storableText } from '../../domain/written-text.ts';
import type { GivenAnswers } from '../../store/dncr/checks.ts';
import type { Config } from '../../platform/config.ts';

export type DncrRegistry = ReturnType<typeof createDncrRegistry>;

const REQUESTED_SYSTEM = 'lead-intake';
const UNAUTHORIZED = 401;

export function createDncrRegistry(settings: RegistrySettings, now: () => Date) {
  const tokens = createTokenCache(settings, now);

  /** A token can be revoked before it expires, so a 401 is retried once with a new one. */
  async function request(body: string, signal: AbortSignal, isRetry = false) {
    const token = await tokens.get(signal);
    const transactionId = randomUUID();
    const headers = buildHeaders(settings, token, transactionId);
    const response = await post(settings.checkUrl, { headers, body, signal });
    if (response.status !== UNAUTHORIZED || isRetry) return { transactionId, response };
    tokens.drop(token);
    return request(body, signal, true);
  }

  return {
    /** In local form. Throws a RegistryError if there is no usable response within the configured timeout. */
    async ask(phones: readonly string[], cancellation?: AbortSignal): Promise<GivenAnswers> {
      const body = JSON.stringify({ accountNumber: phones, count: String(phones.length) });
      const timeout = AbortSignal.timeout(settings.timeoutMs);
      const signal = cancellation ? AbortSignal.any([timeout, cancellation]) : timeout;
      const sent = await request(body, signal);
      const { details, transactionId } = parseCheckResponse(sent.response);
      return {
        answers: matchAnswers(phones, details),
        checkedAt: now(),
        transactionId: transactionId ?? sent.transactionId,
      };
    },
  };
}

function buildHeaders(settings: RegistrySettings, token: string, transactionId: string) {
  return {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    clientID: settings.clientId,
    'X-TIB-TransactionID': transactionId,
    'X-TIB-RequestedSystem': REQUESTED_SYSTEM,
  };
}

const text = z.string().transform(storableText);
const nullableText = text.nullish().transform((sent) => sent ?? null);

const checkResponse = z.object({
  transactionId: text.nullish().catch(null),
  details: z.array(z.unknown()),
  ackMessage: z.object({ status: z.literal('SUCCESS') }),
});

const detail = z.object({
  accountNumber: z.string(),
  // An unreadable status is unknown, so that another row of the number does not clear it.
  dncrStatus: nullableText.catch(''),
  transactionStatus: nullableText.catch(null),
});

const acknowledgement = z.object({ ackMessage: z.object({ status: z.string() }) });

/** Skips a row that cannot be read, so that its number has no result. */
function parseCheckResponse({ status, body }: RegistryResponse) {
  if (status !== 200) throw toStatusError(status);
  const parsed = checkResponse.safeParse(body);
  if (!parsed.success) throw toBodyError(body);
  const { details, transactionId } = parsed.data;
  return {
    details: details.flatMap((row) => detail.safeParse(row).data ?? []),
    transactionId: transactionId?.trim() || null,
  };
}

function toStatusError(status: number): RegistryError {
  const isOurs = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new RegistryError(isOurs ? 'refused' : 'failure', `The registry answered ${status}.`);
}

/** An acknowledgement other than SUCCESS is a failure whatever the HTTP status. */
function toBodyError(body: unknown): RegistryError {
  const status = acknowledgement.safeParse(body).data?.ackMessage.status;
  return status !== undefined && status !== 'SUCCESS'
    ? new RegistryError('failure', 'The registry acknowledged the request with a failure.')
    : new RegistryError('nonsense', 'The answer of the registry cannot be read.');
}

type RegistrySettings = NonNullable<Config['dncr']>;

type CachedToken = Awaited<ReturnType<typeof fetchToken>>;

/** A token is not used in the last minute of its lifetime, or the last fifth of a short one. */
const EARLY_MS = 60_000;
const EARLY_SHARE = 0.2;

const tokenResponse = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(300),
});

/** Concurrent callers share one request. Its timeout is its own, so that a caller that aborts does not abort it. */
function createTokenCache(settings: RegistrySettings, now: () => Date) {
  let cached: CachedToken | undefined;
  let fetching: Promise<CachedToken> | undefined;

  async function renew(): Promise<CachedToken> {
    fetching ??= fetchToken(settings, now).finally(() => (fetching = undefined));
    return (cached = await fetching);
  }

  return {
    async get(signal: AbortSignal): Promise<string> {
      if (cached && now().getTime() < cached.useUntilMs) return cached.value;
      return (await unlessAborted(renew(), signal)).value;
    },
    drop(token: string): void {
      if (cached?.value === token) cached = undefined;
    },
  };
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    addAbortListener(signal, () => {
      reject(new RegistryError('unreachable', 'The registry did not answer in time.'));
    });
  });
  return Promise.race([work, aborted]);
}

async function fetchToken(settings: RegistrySettings, now: () => Date) {
  const startedMs = now().getTime();
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: settings.clientId,
    client_secret: settings.clientSecret,
    scope: 'apioauth',
  });
  const signal = AbortSignal.timeout(settings.timeoutMs);
  const response = await post(settings.tokenUrl, { headers: {}, body, signal });
  if (response.status !== 200) {
    const kind = [400, 401, 403].includes(response.status) ? 'refused' : 'failure';
    const message = `The token address of the registry answered ${response.status}.`;
    throw new RegistryError(kind, message);
  }
  const token = tokenResponse.safeParse(response.body);
  if (!token.success) throw new RegistryError('nonsense', 'The token answer cannot be read.');
  const lifetimeMs = token.data.expires_in * 1000;
  const earlyMs = Math.min(EARLY_MS, lifetimeMs * EARLY_SHARE);
  return { value: token.data.access_token, useUntilMs: startedMs + lifetimeMs - earlyMs };
}

export const registryErrorKinds = [
  'unreachable', // no connection, or no response in time
  'failure', // a response that reports a failure
  'nonsense', // a response that cannot be read
  'refused', // the credential or the request is wrong: a retry cannot succeed
] as const;
export type RegistryErrorKind = (typeof registryErrorKinds)[number];

/** The message contains neither a number nor text of the registry. */
export class RegistryError extends Error {
  override name = 'RegistryError';
  readonly kind: RegistryErrorKind;

  constructor(kind: RegistryErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

type RegistryResponse = Awaited<ReturnType<typeof post>>;

const MAX_BYTES = 256 * 1024;

async function post(
  url: string,
  request: { headers: Record<string, string>; body: string | URLSearchParams; signal: AbortSignal },
) {
  try {
    const response = await fetch(url, { method: 'POST', redirect: 'error', ...request });
    return { status: response.status, body: parseJson(await readLimited(response)) };
  } catch (error) {
    if (error instanceof RegistryError) throw error;
    throw new RegistryError('unreachable', describeNetworkError(error, request.signal));
  }
}

function describeNetworkError(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The registry did not answer in time.';
  const code = (error as { cause?: { code?: unknown } }).cause?.code;
  return `The registry could not be reached${typeof code === 'string' ? ` (${code})` : ''}.`;
}

async function readLimited(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop closes the connection, so the rest is not received.
    if (bytes > MAX_BYTES) {
      throw new RegistryError('nonsense', 'The answer of the registry is too large.');
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
