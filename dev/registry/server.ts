import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson, readBody, sendJson, serveOnLoopback, type LoopbackServer } from '../http.ts';
import { answerInMood } from './answer.ts';
import { createCallLog, type Calls } from './calls.ts';
import { check } from './check.ts';
import { createMoods, mood, type MoodWish } from './fault-mode.ts';
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
  setMood(wish: MoodWish): void;
  calls(): Calls;
  resetCalls(): void;
}

/**
 * A Do Not Call registry for development and tests, with the operator's interface: POST /oauth/token,
 * POST /dncr/check. What it says of a number is in outcome.ts. POST /mood changes how it behaves
 * (mood.ts), GET /calls shows what it was asked, DELETE /calls forgets that.
 */
export async function startRegistry(options: RegistryOptions = {}): Promise<Registry> {
  const { clientId = 'lead-intake', clientSecret = 'registry-secret' } = options;
  const tokens = createTokens({ clientId, clientSecret }, options.tokenLifetimeSeconds ?? 3599);
  const moods = createMoods();
  const log = createCallLog();
  const seen = new Set<string>();

  async function token(request: IncomingMessage, response: ServerResponse) {
    log.addToken();
    const issued = tokens.issue(new URLSearchParams(await readBody(request)));
    const answer = issued
      ? { status: 200, body: issued }
      : { status: 401, body: { error: 'invalid_client' } };
    await answerInMood(response, answer, moods.next('token'));
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
    await answerInMood(response, result, moods.next('check'));
  }

  async function changeMood(request: IncomingMessage, response: ServerResponse) {
    const wish = mood.safeParse(parseJson(await readBody(request)));
    if (!wish.success) return sendJson(response, 400, { error: wish.error.issues });
    moods.set(wish.data);
    sendJson(response, 200, wish.data);
  }

  const routes: Record<
    string,
    (request: IncomingMessage, response: ServerResponse) => Promise<void>
  > = {
    'POST /oauth/token': token,
    'POST /dncr/check': checkNumbers,
    'POST /mood': changeMood,
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
    setMood: moods.set,
    calls: log.calls,
    resetCalls: log.reset,
  };
}
