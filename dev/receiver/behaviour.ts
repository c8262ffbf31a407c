import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import { z } from 'zod';
import { respondForever, respondNever } from '../http.ts';

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

/** What the modes that respond with an end respond with, unless `status` says otherwise. */
const RESPONSES: Partial<Record<Behaviour['mode'], readonly [status: number, body: object]>> = {
  ok: [200, { received: true }],
  slow: [200, { received: true }],
  fail: [500, { error: 'failure requested' }],
  redirect: [302, {}],
  gone: [410, { error: 'gone' }],
  throttle: [429, {}],
};

/** The response in a word or two, for the list of calls. */
export function describeBehaviour({ mode, status = RESPONSES[mode]?.[0], delayMs }: Behaviour) {
  if (!RESPONSES[mode]) return mode;
  return mode === 'slow' ? `${status} after ${delayMs} ms` : String(status);
}

export async function respond(http: Context, how: Behaviour): Promise<void> {
  const [status, body] = RESPONSES[how.mode] ?? [200, {}];
  http.status = how.status ?? status;
  http.body = body;
  if (how.mode === 'redirect') http.set('Location', how.location);
  if (how.mode === 'throttle') http.set('Retry-After', String(how.retryAfterSeconds));
  if (how.mode === 'slow') await sleep(how.delayMs);
  if (how.mode === 'endless') respondForever(http, 'text/plain');
  if (how.mode === 'hang' || how.mode === 'close') respondNever(http);
  if (how.mode === 'close') http.res.destroy();
}
