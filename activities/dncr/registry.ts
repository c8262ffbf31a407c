import { randomUUID } from 'node:crypto';
import type { Config } from '../../platform/config.ts';
import { matchAnswers } from '../../domain/dncr/registry-answer.ts';
import type { RegistryAnswer } from '../../domain/dncr/registry-answer.ts';
import { post } from './post.ts';
import type { Posted } from './post.ts';
import { readAnswer } from './registry-answer.ts';
import { createTokenSource } from './token.ts';

export type RegistrySettings = NonNullable<Config['dncr']>;

export interface RegistryReply {
  /** One for each number asked for. */
  answers: Map<string, RegistryAnswer>;
  checkedAt: Date;
  /** The registry's own reference, else the one that we sent. */
  transactionId: string;
}

export interface DncrRegistry {
  /** Asks for numbers in local form; throws a RegistryError when there is no usable answer. */
  ask(phones: readonly string[], stop?: AbortSignal): Promise<RegistryReply>;
}

const REQUESTED_SYSTEM = 'lead-intake';
const UNAUTHORIZED = 401;

/** The Do Not Call registry over HTTP. One `ask`, token and all, ends within the configured time. */
export function createDncrRegistry(settings: RegistrySettings, now: () => Date): DncrRegistry {
  const tokens = createTokenSource(settings, now);

  async function attempt(body: string, signal: AbortSignal) {
    const token = await tokens.get(signal);
    const transactionId = randomUUID();
    const headers = headersOf(settings, token, transactionId);
    const answered = await post(settings.checkUrl, { headers, body, signal });
    return { token, transactionId, answered };
  }

  /** A token can be revoked before its time, so a 401 is met once with a new one. */
  async function attemptTwiceOn401(body: string, signal: AbortSignal) {
    const first = await attempt(body, signal);
    if (first.answered.status !== UNAUTHORIZED) return first;
    tokens.drop(first.token);
    return attempt(body, signal);
  }

  return {
    async ask(phones, stop) {
      const signal = withTimeout(settings.timeoutMs, stop);
      const { transactionId, answered } = await attemptTwiceOn401(bodyOf(phones), signal);
      return replyOf(phones, answered, transactionId, now());
    },
  };
}

function replyOf(
  phones: readonly string[],
  answered: Posted,
  transactionId: string,
  checkedAt: Date,
): RegistryReply {
  const read = readAnswer(answered);
  return {
    answers: matchAnswers(phones, read.details),
    checkedAt,
    transactionId: read.transactionId ?? transactionId,
  };
}

function headersOf(settings: RegistrySettings, token: string, transactionId: string) {
  return {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    clientID: settings.clientId,
    'X-TIB-TransactionID': transactionId,
    'X-TIB-RequestedSystem': REQUESTED_SYSTEM,
  };
}

function bodyOf(phones: readonly string[]): string {
  return JSON.stringify({ accountNumber: phones, count: String(phones.length) });
}

function withTimeout(timeoutMs: number, stop?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return stop ? AbortSignal.any([timeout, stop]) : timeout;
}
