import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import { z } from 'zod';
import { respondForever, respondNever } from '../http.ts';

/** How the registry behaves, for the next `times` calls or until the mode is changed. */
export const faultMode = z.object({
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

export function refusal(code: 'TIB-002' | 'TIB-999', description: string): Body {
  return { ackMessage: { status: 'FAILURE', errorCode: code, errorDescription: description } };
}

type Response = readonly [status: number, body: string | Body];

/** The response of a mode, where it is another one than that of a registry that works. */
const CHANGED_RESPONSES: Partial<Record<FaultMode['mode'], (body: Body) => Response>> = {
  fail: () => [500, refusal('TIB-999', 'Technical error')],
  unauthorized: () => [401, { error: 'invalid_token' }],
  nonsense: () => [200, '<html><body><h1>It works!</h1></body></html>'],
  wrong_shape: () => [200, { details: { unrelated: true } }],
  failure_ack: (body) => [200, { ...body, ...refusal('TIB-999', 'Try again later') }],
  unknown_status: ({ details, ...body }) => [200, { ...body, details: withUnknownStatus(details) }],
};

/** Responds with `status` and `body`, unless the fault mode says otherwise. */
export async function respondInMode(
  http: Context,
  { status, body }: { status: number; body: Body },
  { mode, delayMs }: FaultMode,
): Promise<void> {
  [http.status, http.body] = CHANGED_RESPONSES[mode]?.(body) ?? [status, body];
  if (mode === 'slow') await sleep(delayMs);
  if (mode === 'hang') respondNever(http);
  if (mode === 'oversize') respondForever(http, 'application/json');
}

function withUnknownStatus(details: unknown): unknown {
  if (!Array.isArray(details)) return details;
  return details.map((row: object) => ({ ...row, dncrStatus: 'MAYBE' }));
}
