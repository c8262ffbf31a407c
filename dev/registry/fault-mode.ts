import { z } from 'zod';

/** How the registry behaves, for the next `times` calls or until it is told otherwise. */
export const mood = z.object({
  mood: z.enum([
    'ok',
    'fail', // 500 TIB-999
    'hang', // never answers
    'nonsense', // 200 with a page of HTML
    'wrong_shape', // 200 with JSON that has nothing to do with it
    'unknown_status', // 200 with a status nobody has heard of
    'unauthorized', // 401, whatever the token
    'slow', // answers after `delayMs`
    'failure_ack', // 200 with an acknowledgement that says FAILURE
    'oversize', // 200 and no end of it
  ]),
  times: z.number().int().positive().optional(),
  delayMs: z.number().int().positive().default(2000),
  at: z.enum(['check', 'token']).default('check'),
});

export type Mood = z.infer<typeof mood>;
export type MoodWish = z.input<typeof mood>;

const GOOD_MOOD: Mood = { mood: 'ok', delayMs: 0, at: 'check' };

export interface Moods {
  set(wish: MoodWish): void;
  /** The mood for one call at that address; one with `times` wears off. */
  next(at: Mood['at']): Mood;
}

export function createMoods(): Moods {
  const current = { check: GOOD_MOOD, token: GOOD_MOOD };
  return {
    set(wish) {
      const wanted = mood.parse(wish);
      current[wanted.at] = wanted;
    },
    next(at) {
      const now = current[at];
      const timesLeft = (now.times ?? Infinity) - 1;
      current[at] = timesLeft > 0 ? { ...now, ...(now.times && { times: timesLeft }) } : GOOD_MOOD;
      return now;
    },
  };
}
