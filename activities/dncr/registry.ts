import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { matchAnswers } from '../../domain/dncr/registry-answer.ts';
import type { GivenAnswers } from '../../store/dncr/registry-answers.ts';
import { post, RegistryError, type RegistryResponse } from './registry-http.ts';
import { createTokenCache, type RegistrySettings } from './registry-token.ts';

export type DncrRegistry = ReturnType<typeof createDncrRegistry>;

const REQUESTED_SYSTEM = 'lead-intake';
const UNAUTHORIZED = 401;

/** The Do Not Call registry over HTTP. One `ask`, token included, ends within the configured timeout. */
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
    /** Asks for numbers in local form; throws a RegistryError when there is no usable response. */
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
