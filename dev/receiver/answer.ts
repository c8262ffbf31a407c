import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendForever, sendJson } from '../http.ts';
import type { Behaviour } from './behaviour.ts';

/** What the receiver answers, in a word or two for its own list. */
export function inWords({ mode, status, delayMs }: Behaviour): string {
  switch (mode) {
    case 'ok':
      return String(status ?? 200);
    case 'fail':
      return String(status ?? 500);
    case 'gone':
      return '410';
    case 'throttle':
      return '429';
    case 'redirect':
      return String(status ?? 302);
    case 'slow':
      return `200 after ${delayMs} ms`;
    case 'hang':
    case 'close':
    case 'endless':
      return mode;
  }
}

export async function answer(response: ServerResponse, how: Behaviour): Promise<void> {
  switch (how.mode) {
    case 'ok':
      return sendJson(response, how.status ?? 200, { received: true });
    case 'fail':
      return sendJson(response, how.status ?? 500, { error: 'told to fail' });
    case 'gone':
      return sendJson(response, 410, { error: 'gone' });
    case 'throttle':
      return sendJson(response, 429, {}, { 'retry-after': String(how.retryAfterSeconds) });
    case 'redirect':
      return sendJson(response, how.status ?? 302, {}, { location: how.location });
    case 'slow':
      await sleep(how.delayMs);
      return sendJson(response, 200, { received: true });
    case 'close':
      return void response.destroy();
    case 'endless':
      return sendForever(response, 'text/plain');
    case 'hang':
      return;
  }
}
