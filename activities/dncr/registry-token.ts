import { addAbortListener } from 'node:events';
import { z } from 'zod';
import type { Config } from '../../platform/config.ts';
import { post, RegistryError } from './registry-http.ts';

export type RegistrySettings = NonNullable<Config['dncr']>;

interface CachedToken {
  value: string;
  useUntilMs: number;
}

/** A token is not used in the last minute of its lifetime, or the last fifth of a short one. */
const EARLY_MS = 60_000;
const EARLY_SHARE = 0.2;

const tokenResponse = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(300),
});

/**
 * Keeps a token until shortly before it expires. Concurrent callers share one request, which has a timeout of
 * its own: a caller that aborts does not abort it for the others.
 */
export function createTokenCache(settings: RegistrySettings, now: () => Date) {
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
    /** The registry refused this token: the next `get` fetches another. */
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

async function fetchToken(settings: RegistrySettings, now: () => Date): Promise<CachedToken> {
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
