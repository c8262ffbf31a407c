import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { sendForever, sendJson } from '../http.ts';

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

interface Content {
  status: number;
  body: Record<string, unknown>;
}

export function refusal(code: 'TIB-002' | 'TIB-999', description: string): Record<string, unknown> {
  return { ackMessage: { status: 'FAILURE', errorCode: code, errorDescription: description } };
}

/** Sends `content`, unless the fault mode says otherwise. */
export async function respondInMode(
  response: ServerResponse,
  content: Content,
  now: FaultMode,
): Promise<void> {
  switch (now.mode) {
    case 'hang':
      return;
    case 'oversize':
      return sendForever(response, 'application/json');
    case 'nonsense':
      response.writeHead(200, { 'content-type': 'text/html' });
      return void response.end('<html><body><h1>It works!</h1></body></html>');
    case 'slow':
      await sleep(now.delayMs);
      return sendJson(response, content.status, content.body);
    default: {
      const { status, body } = changed(content, now.mode);
      return sendJson(response, status, body);
    }
  }
}

function changed(content: Content, mode: FaultMode['mode']): Content {
  switch (mode) {
    case 'fail':
      return { status: 500, body: refusal('TIB-999', 'Technical error') };
    case 'unauthorized':
      return { status: 401, body: { error: 'invalid_token' } };
    case 'failure_ack':
      return { status: 200, body: { ...content.body, ...refusal('TIB-999', 'Try again later') } };
    case 'wrong_shape':
      return { status: 200, body: { details: { unrelated: true } } };
    case 'unknown_status':
      return {
        status: 200,
        body: { ...content.body, details: withUnknownStatus(content.body['details']) },
      };
    default:
      return content;
  }
}

function withUnknownStatus(details: unknown): unknown {
  if (!Array.isArray(details)) return details;
  return details.map((row: object) => ({ ...row, dncrStatus: 'MAYBE' }));
}
