import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from 'koa';
import {
  createModes,
  handleJson,
  parseJson,
  serveOnLoopback,
  type Handler,
  respondForever,
  respondNever,
} from './http.ts';

interface RegistryOptions {
  port?: number;
  tokenLifetimeSeconds?: number;
}

const CLIENT = { clientId: 'lead-intake', clientSecret: 'registry-secret' };

const noCalls = () => ({
  tokens: 0,
  checks: 0,
  numbers: {} as Record<string, number>,
  transactionIds: [] as string[],
});

export type Registry = Awaited<ReturnType<typeof startRegistry>>;

/**
 * POST /oauth/token and /dncr/check are the registry's interface. POST /fault-mode changes its behaviour. GET /calls
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
    const response: Response = issued ? [200, issued] : [401, { error: 'invalid_client' }];
    await respondInMode(http, response, faultModes.next('token'));
  };

  const checkNumbers: Handler = async (http) => {
    const body = parseJson(await text(http.req));
    if (!tokens.isValid(http.get('Authorization'))) {
      http.status = 401;
      http.body = { error: 'invalid_token' };
      return;
    }
    const result = check(http.headers, body, usedIds);
    usedIds.add(result.transactionId);
    calls.checks += 1;
    calls.transactionIds.push(result.transactionId);
    for (const number of result.numbers) calls.numbers[number] = (calls.numbers[number] ?? 0) + 1;
    await respondInMode(http, result.response, faultModes.next('check'));
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

const request = z
  .strictObject({
    accountNumber: z.array(z.string().regex(/^05\d{8}$/, 'is not in local form')).min(1),
    count: z.string(),
  })
  .refine((body) => body.count === String(body.accountNumber.length), {
    path: ['count'],
    message: 'is not the number of entries, as text',
  });

function check(headers: IncomingHttpHeaders, body: unknown, usedIds: ReadonlySet<string>) {
  const transactionId = String(headers['x-tib-transactionid'] ?? '');
  const issue = headerIssue(headers, transactionId, usedIds) ?? bodyIssue(body);
  const numbers = issue === null ? request.parse(body).accountNumber : [];
  const details = numbers.toReversed().flatMap(rowsFor);
  const response: Response =
    issue === null
      ? [200, { transactionId, details, ackMessage: { status: 'SUCCESS' } }]
      : [400, { transactionId, ...refusal('TIB-002', issue) }];
  return { response, numbers, transactionId };
}

function headerIssue(
  headers: IncomingHttpHeaders,
  transactionId: string,
  usedIds: ReadonlySet<string>,
): string | null {
  if (headers['clientid'] !== CLIENT.clientId) return 'clientID is missing or wrong';
  if (!headers['x-tib-requestedsystem']) return 'X-TIB-RequestedSystem is missing';
  if (!transactionId) return 'X-TIB-TransactionID is missing';
  return usedIds.has(transactionId) ? 'X-TIB-TransactionID was used before' : null;
}

function bodyIssue(body: unknown): string | null {
  const issue = request.safeParse(body).error?.issues[0];
  return issue ? `${issue.path.join('.')} ${issue.message}` : null;
}

const NOT_FOUND_TEXT = 'Account Number – Not Found';

/**
 * The last digit decides: 0 to 3 are clear, 4 to 6 registered, 7 and 8 not found, 9 has no row. The reverse order
 * breaks clients that rely on the order.
 */
function rowsFor(accountNumber: string) {
  const digit = Number(accountNumber.at(-1));
  if (digit === 9) return [];
  if (digit >= 7) return { accountNumber, dncrStatus: null, transactionStatus: NOT_FOUND_TEXT };
  return { accountNumber, dncrStatus: digit >= 4 ? 'TRUE' : 'FALSE', transactionStatus: null };
}

/** Applies to the next `times` calls, or until it is changed. */
const faultMode = z.object({
  mode: z.enum([
    'ok',
    'fail', // 500 TIB-999
    'hang', // never responds
    'nonsense', // 200 with a page of HTML
    'wrong_shape', // 200 with JSON that has nothing to do with it
    'unknown_status', // 200 with a status that does not exist
    'unauthorized', // 401, whatever the token
    'slow', // responds after `delayMs`
    'failure_ack', // 200 with an acknowledgement that says FAILURE
    'oversize', // 200 with an endless body
  ]),
  times: z.number().int().positive().optional(),
  delayMs: z.number().int().positive().default(2000),
  at: z.enum(['check', 'token']).default('check'),
});

export type FaultMode = z.infer<typeof faultMode>;
export type FaultModeInput = z.input<typeof faultMode>;

type Body = Readonly<Record<string, unknown>>;

function refusal(code: 'TIB-002' | 'TIB-999', description: string): Body {
  return { ackMessage: { status: 'FAILURE', errorCode: code, errorDescription: description } };
}

type Response = readonly [status: number, body: Body];

const CHANGED_RESPONSES: Partial<Record<FaultMode['mode'], (body: Body) => [number, unknown]>> = {
  fail: () => [500, refusal('TIB-999', 'Technical error')],
  unauthorized: () => [401, { error: 'invalid_token' }],
  nonsense: () => [200, '<html><body><h1>It works!</h1></body></html>'],
  wrong_shape: () => [200, { details: { unrelated: true } }],
  failure_ack: (body) => [200, { ...body, ...refusal('TIB-999', 'Try again later') }],
  unknown_status: ({ details, ...body }) => [200, { ...body, details: withUnknownStatus(details) }],
};

async function respondInMode(http: Context, response: Response, { mode, delayMs }: FaultMode) {
  [http.status, http.body] = CHANGED_RESPONSES[mode]?.(response[1]) ?? response;
  if (mode === 'slow') await sleep(delayMs);
  if (mode === 'hang') respondNever(http);
  if (mode === 'oversize') respondForever(http, 'application/json');
}

function withUnknownStatus(details: unknown): unknown {
  if (!Array.isArray(details)) return details;
  return details.map((row: object) => ({ ...row, dncrStatus: 'MAYBE' }));
}
