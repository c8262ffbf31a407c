import type { Operations } from './generated.ts';
import { send } from './send.ts';

export interface TokenSourceOptions {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
}

export interface TokenSource {
  current(): Promise<string>;
  /** Another one than `stale`; callers that ask at once share one call. */
  fresh(stale: string): Promise<string>;
}

const EARLY_MS = 60_000;

/** Keeps the token in memory and fetches the next one about a minute early. */
export function createTokenSource(options: TokenSourceOptions): TokenSource {
  let token = '';
  let goodUntil = 0;
  let fetching: Promise<string> | null = null;

  async function fetchToken(): Promise<string> {
    const answer = await askToken(options);
    const lifetimeMs = answer.expires_in * 1000;
    token = answer.access_token;
    goodUntil = Date.now() + Math.max(lifetimeMs - EARLY_MS, lifetimeMs / 2);
    return token;
  }

  function refresh(): Promise<string> {
    fetching ??= fetchToken().finally(() => (fetching = null));
    return fetching;
  }

  return {
    current: async () => (Date.now() < goodUntil ? token : refresh()),
    fresh: async (stale) => (token !== stale && Date.now() < goodUntil ? token : refresh()),
  };
}

async function askToken(options: TokenSourceOptions): Promise<Operations['issueToken']['answer']> {
  const { baseUrl, clientId, clientSecret, timeoutMs } = options;
  const answer = await send({
    method: 'POST',
    url: `${baseUrl}/oauth2/token`,
    timeoutMs,
    body: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    } satisfies Operations['issueToken']['input']['body'],
  });
  return answer as Operations['issueToken']['answer'];
}
