import { addAbortListener } from 'node:events';
import { z } from 'zod';
import { post } from './post.ts';
import { RegistryError } from './registry-error.ts';
import type { RegistrySettings } from './registry.ts';

export interface TokenSource {
  get(signal: AbortSignal): Promise<string>;
  /** The registry did not take it: the next `get` fetches another. */
  drop(token: string): void;
}

interface HeldToken {
  value: string;
  useUntilMs: number;
}

const EARLY_MS = 60_000;

const answer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(300),
});

/**
 * Keeps a token until shortly before it expires; those who need one at once wait for the same call, which
 * has its own time: who gives up waiting takes it from nobody else.
 */
export function createTokenSource(settings: RegistrySettings, now: () => Date): TokenSource {
  let held: HeldToken | undefined;
  let fetching: Promise<HeldToken> | undefined;

  async function renew(): Promise<HeldToken> {
    fetching ??= fetchToken(settings, now).finally(() => (fetching = undefined));
    return (held = await fetching);
  }

  return {
    async get(signal) {
      if (held && now().getTime() < held.useUntilMs) return held.value;
      return (await unlessAborted(renew(), signal)).value;
    },
    drop(token) {
      if (held?.value === token) held = undefined;
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

async function fetchToken(settings: RegistrySettings, now: () => Date): Promise<HeldToken> {
  const startedMs = now().getTime();
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: settings.clientId,
    client_secret: settings.clientSecret,
    scope: 'apioauth',
  });
  const signal = AbortSignal.timeout(settings.timeoutMs);
  const answered = await post(settings.tokenUrl, { headers: {}, body, signal });
  if (answered.status !== 200) throw tokenRefused(answered.status);
  const token = answer.safeParse(answered.body);
  if (!token.success) throw new RegistryError('nonsense', 'The token answer cannot be read.');
  return {
    value: token.data.access_token,
    useUntilMs: startedMs + usableMs(token.data.expires_in * 1000),
  };
}

/** A minute early, and for a short-lived token a fifth of its life. */
function usableMs(lifetimeMs: number): number {
  return lifetimeMs - Math.min(EARLY_MS, lifetimeMs / 5);
}

function tokenRefused(status: number): RegistryError {
  const isOurs = status === 400 || status === 401 || status === 403;
  return new RegistryError(
    isOurs ? 'refused' : 'failure',
    `The token address of the registry answered ${status}.`,
  );
}
