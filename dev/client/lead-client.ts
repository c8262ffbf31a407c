import { setTimeout as sleep } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.d.ts'; // made by `npm run client`

type Schemas = components['schemas'];
export type LeadCreate = Schemas['LeadCreate'];
export type Lead = Schemas['Lead'];
export type MergedLead = Schemas['MergedLead'];
export type Assignment = Schemas['Assignment'];

/** `merged` is a plain boolean, since few generators accept a constant. */
export function isMerged(lead: Lead | MergedLead): lead is MergedLead {
  return lead.merged;
}

/** Has every path of the API, as in `client.POST('/public/leads', { body })`. */
export type LeadClient = Client<paths>;

export interface LeadClientOptions {
  /** Ends in `/v2`. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The timeout of one attempt. By default as long as a request may take. */
  timeoutMs?: number;
  attempts?: number;
}

/**
 * Follows the rules for integrators: refreshes the token a minute before it expires, retries a 401 once with a new
 * token, and otherwise retries only network timeouts, 408, 429 and 5xx.
 */
export function createLeadClient(options: LeadClientOptions): LeadClient {
  const fetch = createRetryingFetch(options);
  const freshToken = createTokenSource(options, fetch);
  const authorise = (request: Request, token: string) =>
    request.headers.set('Authorization', `Bearer ${token}`);
  const client = createClient<paths>({ baseUrl: options.baseUrl, fetch });
  client.use({
    async onRequest({ request }) {
      authorise(request, await freshToken());
    },
    async onResponse({ request, response }) {
      if (response.status !== 401) return undefined;
      const rejected = request.headers.get('Authorization')?.slice('Bearer '.length) ?? '';
      authorise(request, await freshToken(rejected));
      return fetch(request);
    },
  });
  return client;
}

/**
 * A response other than success. Branch on `code`.
 * @public
 */
export class LeadServiceError extends Error {
  override name = 'LeadServiceError';
  readonly statusCode: number;
  readonly code: string;
  /** One string per invalid field, on 422. */
  readonly errors: readonly string[];
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | null;

  constructor({ status, headers }: Response, body: Partial<Schemas['ErrorEnvelope']>) {
    super([body.message ?? `HTTP ${status}`, ...(body.errors ?? [])].join('\n'));
    this.statusCode = status;
    this.code = body.code ?? 'UNKNOWN';
    this.errors = body.errors ?? [];
    this.details = body.details;
    this.retryAfterSeconds = retryAfterSeconds(headers);
  }
}

export async function dataOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new LeadServiceError(response, Object(error));
  return data as T;
}

type Fetch = (request: Request) => Promise<Response>;

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

function createRetryingFetch({ timeoutMs = 30_000, attempts = 4 }: LeadClientOptions): Fetch {
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === attempts;
      // A body can be sent only once.
      const sent = fetch(request.clone(), { signal: AbortSignal.timeout(timeoutMs) });
      const response = await sent.catch((error: unknown) => {
        if (isLast) throw error;
        return null;
      });
      const waitMs = retryWaitMs(response, attempt);
      if (response && (waitMs === null || isLast)) return response;
      await sleep((waitMs ?? 0) * (0.75 + Math.random() / 2));
    }
  };
}

/** Null if the request must not be retried, or the service asks for a long wait. */
function retryWaitMs(response: Response | null, attempt: number): number | null {
  if (response && ![408, 429].includes(response.status) && response.status < 500) return null;
  const asked = response && retryAfterSeconds(response.headers);
  if (asked === null) return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return asked * 1000 > LONGEST_WAIT_MS ? null : asked * 1000;
}

function retryAfterSeconds(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN); // a proxy may send a date
  return seconds >= 0 ? seconds : null;
}

const TOKEN_REFRESH_EARLY_MS = 60_000;

function createTokenSource({ baseUrl, clientId, clientSecret }: LeadClientOptions, fetch: Fetch) {
  const client = createClient<paths>({ baseUrl, fetch });
  const body = {
    grant_type: 'client_credentials' as const,
    client_id: clientId,
    client_secret: clientSecret,
  };
  let token = '';
  let refreshAt = 0;
  let pending: Promise<string> | null = null;

  async function requestToken(): Promise<string> {
    const issued = await dataOf(client.POST('/oauth2/token', { body }));
    const lifetimeMs = issued.expires_in * 1000;
    token = issued.access_token;
    refreshAt = Date.now() + Math.max(lifetimeMs - TOKEN_REFRESH_EARLY_MS, lifetimeMs / 2);
    return token;
  }

  /** Returns another token than the rejected one. Concurrent callers share one request. */
  return async (rejected = '') => {
    if (token !== rejected && Date.now() < refreshAt) return token;
    return (pending ??= requestToken().finally(() => (pending = null)));
  };
}
