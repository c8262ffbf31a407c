import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { createModes, handleJson, parseJson, serveOnLoopback, type Handler } from '../http.ts';
import { check } from './check.ts';
import { faultMode, respondInMode, type FaultMode, type FaultModeInput } from './fault-mode.ts';

interface RegistryOptions {
  port?: number;
  tokenLifetimeSeconds?: number;
}

const CLIENT = { clientId: 'lead-intake', clientSecret: 'registry-secret' };

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
export async function startRegistry({ port, tokenLifetimeSeconds = 3599 }: RegistryOptions = {}) {
  const tokens = createTokens(tokenLifetimeSeconds);
  const faultModes = createModes<FaultMode>({ mode: 'ok', delayMs: 0, at: 'check' });
  const setFaultMode = (input: FaultModeInput) => {
    const mode = faultMode.parse(input);
    faultModes.set(mode.at, mode);
  };
  const usedIds = new Set<string>();
  let calls = noCalls();
  const resetCalls = () => void (calls = noCalls());

  const issueToken: Handler = async (http) => {
    calls.tokens += 1;
    const issued = tokens.issue(new URLSearchParams(await text(http.req)));
    const response = issued
      ? { status: 200, body: issued }
      : { status: 401, body: { error: 'invalid_client' } };
    await respondInMode(http, response, faultModes.next('token'));
  };

  const checkNumbers: Handler = async (http) => {
    const body = parseJson(await text(http.req));
    if (!tokens.isValid(http.get('Authorization'))) {
      http.status = 401;
      http.body = { error: 'invalid_token' };
      return;
    }
    const result = check(http.headers, body, { clientId: CLIENT.clientId, usedIds });
    usedIds.add(result.transactionId);
    calls.checks += 1;
    calls.transactionIds.push(result.transactionId);
    for (const number of result.numbers) calls.numbers[number] = (calls.numbers[number] ?? 0) + 1;
    await respondInMode(http, result, faultModes.next('check'));
  };

  const server = await serveOnLoopback(port, {
    'POST /oauth/token': issueToken,
    'POST /dncr/check': checkNumbers,
    'POST /fault-mode': handleJson(faultMode, (mode) => {
      setFaultMode(mode);
      return mode;
    }),
    'GET /calls': (http) => void (http.body = calls),
    'DELETE /calls': (http) => {
      resetCalls();
      http.body = calls;
    },
  });
  return {
    ...server,
    tokenUrl: `${server.url}/oauth/token`,
    checkUrl: `${server.url}/dncr/check`,
    ...CLIENT,
    setFaultMode,
    calls: () => structuredClone(calls),
    resetCalls,
  };
}

const EXPECTED_FORM = {
  grant_type: 'client_credentials',
  client_id: CLIENT.clientId,
  client_secret: CLIENT.clientSecret,
  scope: 'apioauth',
};

function createTokens(lifetimeSeconds: number) {
  const expiries = new Map<string, number>();
  return {
    /** Null when the form does not contain the credential. */
    issue(form: URLSearchParams) {
      if (Object.entries(EXPECTED_FORM).some(([name, value]) => form.get(name) !== value)) {
        return null;
      }
      const access_token = randomBytes(24).toString('base64url');
      expiries.set(access_token, Date.now() + lifetimeSeconds * 1000);
      return { access_token, token_type: 'Bearer', expires_in: lifetimeSeconds };
    },
    isValid: (authorization: string) =>
      (expiries.get(authorization.replace(/^Bearer /, '')) ?? 0) > Date.now(),
  };
}
