import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  matchAnswers,
  type RegistryAnswer,
  type RegistryDetail,
} from '../../domain/dncr/registry-answer.ts';
import { post, RegistryError, type RegistryResponse } from './registry-http.ts';
import { createTokenCache, type RegistrySettings } from './registry-token.ts';

interface RegistryReply {
  /** One for each number asked for. */
  answers: Map<string, RegistryAnswer>;
  checkedAt: Date;
  /** The registry's own reference, else the one that we sent. */
  transactionId: string;
}

export type DncrRegistry = ReturnType<typeof createDncrRegistry>;

const REQUESTED_SYSTEM = 'lead-intake';
const UNAUTHORIZED = 401;

/** The Do Not Call registry over HTTP. One `ask`, token included, ends within the configured timeout. */
export function createDncrRegistry(settings: RegistrySettings, now: () => Date) {
  const tokens = createTokenCache(settings, now);

  async function request(body: string, signal: AbortSignal) {
    const token = await tokens.get(signal);
    const transactionId = randomUUID();
    const headers = buildHeaders(settings, token, transactionId);
    const response = await post(settings.checkUrl, { headers, body, signal });
    return { token, transactionId, response };
  }

  /** A token can be revoked before it expires, so a 401 is retried once with a new one. */
  async function requestWithFreshToken(body: string, signal: AbortSignal) {
    const first = await request(body, signal);
    if (first.response.status !== UNAUTHORIZED) return first;
    tokens.drop(first.token);
    return request(body, signal);
  }

  return {
    /** Asks for numbers in local form; throws a RegistryError when there is no usable response. */
    async ask(phones: readonly string[], cancellation?: AbortSignal): Promise<RegistryReply> {
      const body = JSON.stringify({ accountNumber: phones, count: String(phones.length) });
      const signal = withTimeout(settings.timeoutMs, cancellation);
      const sent = await requestWithFreshToken(body, signal);
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

function withTimeout(timeoutMs: number, cancellation?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return cancellation ? AbortSignal.any([timeout, cancellation]) : timeout;
}

/** Postgres stores neither NUL nor a lone surrogate. */
const text = z.string().transform((sent) => sent.replaceAll('\u0000', '').toWellFormed());
const nullableText = text.nullish().transform((sent) => sent ?? null);

const checkResponse = z.object({
  transactionId: text.nullish(),
  details: z.array(z.unknown()),
  ackMessage: z.object({ status: z.literal('SUCCESS') }),
});

const detail = z.object({
  accountNumber: z.string(),
  dncrStatus: nullableText,
  transactionStatus: nullableText,
});

const acknowledgement = z.object({ ackMessage: z.object({ status: z.string() }) });

/** Leaves out a row that cannot be read, so that its number has no answer; the rest must be valid. */
function parseCheckResponse({ status, body }: RegistryResponse): {
  details: RegistryDetail[];
  transactionId: string | null;
} {
  if (status !== 200) throw toStatusError(status);
  const parsed = checkResponse.safeParse(body);
  if (!parsed.success) throw toBodyError(body);
  return {
    details: parsed.data.details.flatMap((row) => detail.safeParse(row).data ?? []),
    transactionId: parsed.data.transactionId?.trim() || null,
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
