import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { createModes, parseJson, sendJson, serveOnLoopback, type Handler } from '../http.ts';
import { check } from './check.ts';
import { faultMode, respondInMode, type FaultMode, type FaultModeInput } from './fault-mode.ts';

export interface RegistryOptions {
  port?: number;
  clientId?: string;
  clientSecret?: string;
  tokenLifetimeSeconds?: number;
}

/** What was called so far, for tests. */
const noCalls = () => ({
  tokens: 0,
  checks: 0,
  /** How often each number was asked for. */
  numbers: {} as Record<string, number>,
  transactionIds: [] as string[],
});

export type Registry = Awaited<ReturnType<typeof startRegistry>>;

/**
 * A Do Not Call registry for development and tests, with the operator's interface: POST /oauth/token,
 * POST /dncr/check (check.ts). POST /fault-mode changes how it behaves (fault-mode.ts), GET /calls
 * returns the calls so far, DELETE /calls resets them.
 */
export async function startRegistry(options: RegistryOptions = {}) {
  const { clientId = 'lead-intake', clientSecret = 'registry-secret' } = options;
  const tokens = createTokens(clientId, clientSecret, options.tokenLifetimeSeconds ?? 3599);
  const faultModes = createModes<FaultMode>({ mode: 'ok', delayMs: 0, at: 'check' });
  const setFaultMode = (input: FaultModeInput) => {
    const mode = faultMode.parse(input);
    faultModes.set(mode.at, mode);
  };
  const usedIds = new Set<string>();
  let calls = noCalls();
  const resetCalls = () => void (calls = noCalls());

  const issueToken: Handler = async (request, response) => {
    calls.tokens += 1;
    const issued = tokens.issue(new URLSearchParams(await text(request)));
    const content = issued
      ? { status: 200, body: issued }
      : { status: 401, body: { error: 'invalid_client' } };
    await respondInMode(response, content, faultModes.next('token'));
  };

  const checkNumbers: Handler = async (request, response) => {
    const body = parseJson(await text(request));
    if (!tokens.isValid(request.headers.authorization)) {
      return sendJson(response, 401, { error: 'invalid_token' });
    }
    const rules = { clientId, wasUsed: (id: string) => usedIds.has(id) };
    const result = check(request.headers, body, rules);
    usedIds.add(result.transactionId);
    calls.checks += 1;
    calls.transactionIds.push(result.transactionId);
    for (const number of result.numbers) calls.numbers[number] = (calls.numbers[number] ?? 0) + 1;
    await respondInMode(response, result, faultModes.next('check'));
  };

  const changeFaultMode: Handler = async (request, response) => {
    const input = faultMode.safeParse(parseJson(await text(request)));
    if (!input.success) return sendJson(response, 400, { error: input.error.issues });
    setFaultMode(input.data);
    sendJson(response, 200, input.data);
  };

  const server = await serveOnLoopback(options.port, {
    'POST /oauth/token': issueToken,
    'POST /dncr/check': checkNumbers,
    'POST /fault-mode': changeFaultMode,
    'GET /calls': async (_, response) => sendJson(response, 200, calls),
    'DELETE /calls': async (_, response) => {
      resetCalls();
      sendJson(response, 200, calls);
    },
  });
  return {
    ...server,
    tokenUrl: `${server.url}/oauth/token`,
    checkUrl: `${server.url}/dncr/check`,
    clientId,
    clientSecret,
    setFaultMode,
    calls: () => structuredClone(calls),
    resetCalls,
  };
}

function createTokens(clientId: string, clientSecret: string, lifetimeSeconds: number) {
  const expiries = new Map<string, number>();
  const expectedForm = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: 'apioauth',
  };
  return {
    /** Null when the form does not contain the credential. */
    issue(form: URLSearchParams) {
      if (Object.entries(expectedForm).some(([name, value]) => form.get(name) !== value)) {
        return null;
      }
      const access_token = randomBytes(24).toString('base64url');
      expiries.set(access_token, Date.now() + lifetimeSeconds * 1000);
      return { access_token, token_type: 'Bearer', expires_in: lifetimeSeconds };
    },
    isValid(authorization: string | undefined): boolean {
      const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '';
      return (expiries.get(token) ?? 0) > Date.now();
    },
  };
}
