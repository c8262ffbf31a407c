import { z } from 'zod';

/** How the receiver answers, for the next `times` calls or until it is told otherwise. */
export const behaviour = z.object({
  mode: z.enum([
    'ok',
    'fail', // `status`, 500 unless said otherwise
    'hang', // never answers
    'slow', // answers after `delayMs`
    'redirect', // 302 to `location`
    'close', // ends the connection without an answer
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
export type BehaviourWish = z.input<typeof behaviour>;

const WELL_BEHAVED = behaviour.parse({ mode: 'ok' });
const EVERYWHERE = '*';

export interface Behaviours {
  set(wish: BehaviourWish): void;
  /** The behaviour for one call; one with `times` wears off. */
  next(path: string): Behaviour;
}

export function createBehaviours(): Behaviours {
  const current = new Map<string, Behaviour>();
  return {
    set(wish) {
      const wanted = behaviour.parse(wish);
      current.set(wanted.path ?? EVERYWHERE, wanted);
    },
    next(path) {
      const key = current.has(path) ? path : EVERYWHERE;
      const now = current.get(key) ?? WELL_BEHAVED;
      if (now.times === 1) current.delete(key);
      else if (now.times) current.set(key, { ...now, times: now.times - 1 });
      return now;
    },
  };
}
