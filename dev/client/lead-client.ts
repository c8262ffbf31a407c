import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from './generated.ts';
import type { Operations } from './generated.ts';
import { LeadServiceError, send } from './send.ts';
import type { Message } from './send.ts';
import { createTokenSource } from './token-source.ts';

export interface LeadClientOptions {
  /** Ends in `/v2`. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** After this an attempt counts as a network timeout. */
  timeoutMs?: number;
  /** How often one call is tried where trying again is right. */
  tries?: number;
}

type CallName = Exclude<keyof Operations, 'issueToken'>;
type Call<Name extends CallName> = (
  input: Operations[Name]['input'],
) => Promise<Operations[Name]['answer']>;

/** Every operation of the document under its name: `client.createLead({ body })`. */
export type LeadClient = { [Name in CallName]: Call<Name> };

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/**
 * Follows the rules for callers: the token is kept and fetched afresh a minute early, a 401 is answered
 * with one fresh token, and only network timeouts, 429 and 5xx are tried again.
 */
export function createLeadClient(options: LeadClientOptions): LeadClient {
  const { baseUrl, timeoutMs = 10_000, tries = 4 } = options;
  const tokens = createTokenSource({ ...options, timeoutMs });

  async function authorised(message: Message): Promise<unknown> {
    const token = await tokens.current();
    try {
      return await send({ ...message, token });
    } catch (error) {
      if (!isStatus(error, 401)) throw error;
      return send({ ...message, token: await tokens.fresh(token) });
    }
  }

  async function persistent(message: Message): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await authorised(message);
      } catch (error) {
        if (attempt >= tries || !isWorthTrying(error)) throw error;
        await sleep(waitMs(error, attempt));
      }
    }
  }

  const calls = Object.entries(operations).map(([name, { method, path }]) => {
    const call = (input: Input) =>
      persistent({ method, url: urlOf(baseUrl, path, input), body: input.body, timeoutMs });
    return [name, call];
  });
  return Object.fromEntries(calls) as LeadClient;
}

interface Input {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

function urlOf(baseUrl: string, template: string, { path = {}, query = {} }: Input): string {
  const filled = template.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const url = new URL(`${baseUrl}${filled}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof LeadServiceError && error.statusCode === status;
}

/** What never reached a status is a fault of the network. */
function isWorthTrying(error: unknown): boolean {
  if (!(error instanceof LeadServiceError)) return true;
  return error.statusCode === 429 || error.statusCode >= 500;
}

/** As long as the service asks for, within reason; else twice as long each time. */
function waitMs(error: unknown, attempt: number): number {
  const asked = error instanceof LeadServiceError ? error.retryAfterSeconds : null;
  const wanted = asked === null ? FIRST_WAIT_MS * 2 ** (attempt - 1) : asked * 1000;
  if (wanted > LONGEST_WAIT_MS && asked !== null) throw error;
  return Math.min(wanted, LONGEST_WAIT_MS) * (0.75 + Math.random() / 2);
}
