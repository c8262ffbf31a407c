import { parseJson, readBody, sendJson, serveOnLoopback } from '../http.ts';
import type { Handler, LoopbackServer } from '../http.ts';
import { check } from './check.ts';
import { createFaultModes, faultMode, respondInMode, type FaultModeInput } from './fault-mode.ts';
import { createTokens } from './tokens.ts';

export interface RegistryOptions {
  port?: number;
  clientId?: string;
  clientSecret?: string;
  tokenLifetimeSeconds?: number;
}

/** What was called so far, for tests. */
export interface Calls {
  tokens: number;
  checks: number;
  /** How often each number was asked for. */
  numbers: Record<string, number>;
  transactionIds: string[];
}

export interface Registry extends LoopbackServer {
  tokenUrl: string;
  checkUrl: string;
  clientId: string;
  clientSecret: string;
  setFaultMode(input: FaultModeInput): void;
  calls(): Calls;
  resetCalls(): void;
}

const noCalls = (): Calls => ({ tokens: 0, checks: 0, numbers: {}, transactionIds: [] });

/**
 * A Do Not Call registry for development and tests, with the operator's interface: POST /oauth/token,
 * POST /dncr/check (check.ts). POST /fault-mode changes how it behaves (fault-mode.ts), GET /calls
 * returns the calls so far, DELETE /calls resets them.
 */
export async function startRegistry(options: RegistryOptions = {}): Promise<Registry> {
  const { clientId = 'lead-intake', clientSecret = 'registry-secret' } = options;
  const tokens = createTokens({ clientId, clientSecret }, options.tokenLifetimeSeconds ?? 3599);
  const faultModes = createFaultModes();
  const usedIds = new Set<string>();
  let calls = noCalls();
  const resetCalls = () => void (calls = noCalls());

  const issueToken: Handler = async (request, response) => {
    calls.tokens += 1;
    const issued = tokens.issue(new URLSearchParams(await readBody(request)));
    const content = issued
      ? { status: 200, body: issued }
      : { status: 401, body: { error: 'invalid_client' } };
    await respondInMode(response, content, faultModes.next('token'));
  };

  const checkNumbers: Handler = async (request, response) => {
    const body = parseJson(await readBody(request));
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
    const input = faultMode.safeParse(parseJson(await readBody(request)));
    if (!input.success) return sendJson(response, 400, { error: input.error.issues });
    faultModes.set(input.data);
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
    setFaultMode: faultModes.set,
    calls: () => structuredClone(calls),
    resetCalls,
  };
}
