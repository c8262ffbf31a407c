import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createModes, sendForever, sendJson } from '../http.ts';

/** How the receiver responds, for the next `times` calls or until the behaviour is changed. */
export const behaviour = z.object({
  mode: z.enum([
    'ok',
    'fail', // `status`, 500 unless said otherwise
    'hang', // never responds
    'slow', // responds after `delayMs`
    'redirect', // 302 to `location`
    'close', // closes the connection without a response
    'gone', // 410
    'throttle', // 429 with Retry-After `retryAfterSeconds`
    'endless', // 200 with a body that does not end
  ]),
  times: z.number().int().positive().optional(),
  /** Only for this path; for every path that has none of its own otherwise. */
  path: z.string().startsWith('/').optional(),
  status: z.number().int().min(200).max(599).optional(),
  delayMs: z.number().int().min(0).default(5000),
  retryAfterSeconds: z.number().int().min(0).default(5),
  location: z.string().default('/elsewhere'),
});

export type Behaviour = z.infer<typeof behaviour>;
export type BehaviourInput = z.input<typeof behaviour>;

const EVERYWHERE = '*';

/** A behaviour applies to its path, or to every path that has none of its own. */
export function createBehaviours() {
  const modes = createModes(behaviour.parse({ mode: 'ok' }));
  return {
    set(input: BehaviourInput) {
      const parsed = behaviour.parse(input);
      modes.set(parsed.path ?? EVERYWHERE, parsed);
    },
    next: (path: string) => modes.next(path, EVERYWHERE),
  };
}

/** The response in a word or two, for the list of calls. */
export function describeBehaviour({ mode, status, delayMs }: Behaviour): string {
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

export async function respond(response: ServerResponse, how: Behaviour): Promise<void> {
  switch (how.mode) {
    case 'ok':
      return sendJson(response, how.status ?? 200, { received: true });
    case 'fail':
      return sendJson(response, how.status ?? 500, { error: 'failure requested' });
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
