import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson, readBody, sendJson, serveOnLoopback } from '../http.ts';
import type { LoopbackServer } from '../http.ts';
import { check } from './check.ts';
import { createFaultModes, faultMode, respondInMode } from './fault-mode.ts';
import type { FaultModeInput } from './fault-mode.ts';
import { createTokens } from './tokens.ts';

export interface RegistryOptions {
  port?: number;
  clientId?: string;
  clientSecret?: string;
  tokenLifetimeSeconds?: number;
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

/**
 * A Do Not Call registry for development and tests, with the operator's interface: POST /oauth/token,
 * POST /dncr/check (check.ts). POST /fault-mode changes how it behaves (fault-mode.ts), GET /calls
 * returns the calls so far, DELETE /calls resets them.
 */
export async function startRegistry(options: RegistryOptions = {}): Promise<Registry> {
  const { clientId = 'lead-intake', clientSecret = 'registry-secret' } = options;
  const tokens = createTokens({ clientId, clientSecret }, options.tokenLifetimeSeconds ?? 3599);
  const faultModes = createFaultModes();
  const log = createCallLog();
  const seen = new Set<string>();

  async function token(request: IncomingMessage, response: ServerResponse) {
    log.addToken();
    const issued = tokens.issue(new URLSearchParams(await readBody(request)));
    const answer = issued
      ? { status: 200, body: issued }
      : { status: 401, body: { error: 'invalid_client' } };
    await respondInMode(response, answer, faultModes.next('token'));
  }

  async function checkNumbers(request: IncomingMessage, response: ServerResponse) {
    const body = parseJson(await readBody(request));
    if (!tokens.isValid(request.headers.authorization)) {
      return sendJson(response, 401, { error: 'invalid_token' });
    }
    const rules = { clientId, wasUsed: (id: string) => seen.has(id) };
    const result = check(request.headers, body, rules);
    seen.add(result.transactionId);
    log.addCheck(result.transactionId, result.numbers);
    await respondInMode(response, result, faultModes.next('check'));
  }

  async function changeFaultMode(request: IncomingMessage, response: ServerResponse) {
    const input = faultMode.safeParse(parseJson(await readBody(request)));
    if (!input.success) return sendJson(response, 400, { error: input.error.issues });
    faultModes.set(input.data);
    sendJson(response, 200, input.data);
  }

  const routes: Record<
    string,
    (request: IncomingMessage, response: ServerResponse) => Promise<void>
  > = {
    'POST /oauth/token': token,
    'POST /dncr/check': checkNumbers,
    'POST /fault-mode': changeFaultMode,
    'GET /calls': async (_, response) => sendJson(response, 200, log.calls()),
    'DELETE /calls': async (_, response) => {
      log.reset();
      sendJson(response, 200, log.calls());
    },
  };

  const server = await serveOnLoopback(options.port, async (request, response) => {
    const route = routes[`${request.method} ${request.url}`];
    if (route) return route(request, response);
    sendJson(response, 404, { error: 'not found', try: Object.keys(routes) });
  });

  return {
    ...server,
    tokenUrl: `${server.url}/oauth/token`,
    checkUrl: `${server.url}/dncr/check`,
    clientId,
    clientSecret,
    setFaultMode: faultModes.set,
    calls: log.calls,
    resetCalls: log.reset,
  };
}

/** The calls so far, for tests. */
export interface Calls {
  tokens: number;
  checks: number;
  /** How often each number was asked for. */
  numbers: Record<string, number>;
  transactionIds: string[];
}

export interface CallLog {
  calls(): Calls;
  reset(): void;
  addToken(): void;
  addCheck(transactionId: string, numbers: readonly string[]): void;
}

export function createCallLog(): CallLog {
  const none = (): Calls => ({ tokens: 0, checks: 0, numbers: {}, transactionIds: [] });
  let log = none();
  return {
    calls: () => structuredClone(log),
    reset: () => void (log = none()),
    addToken: () => void (log.tokens += 1),
    addCheck(transactionId, numbers) {
      log.checks += 1;
      log.transactionIds.push(transactionId);
      for (const number of numbers) log.numbers[number] = (log.numbers[number] ?? 0) + 1;
    },
  };
}
