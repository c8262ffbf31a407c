import { Webhook } from 'standardwebhooks';

/** `unchecked` when no secret is known for the path: nothing is claimed then. */
export type Verdict = 'verified' | 'refused' | 'unchecked';

export interface Verification {
  verdict: Verdict;
  reason: string | null;
}

/** Checks a call as an integrator's own server would, with the public library. */
export function verify(
  secret: string | undefined,
  body: string,
  headers: Record<string, string>,
): Verification {
  if (secret === undefined) return { verdict: 'unchecked', reason: 'no secret is known' };
  try {
    new Webhook(secret).verify(body, headers);
    return { verdict: 'verified', reason: null };
  } catch (error) {
    return { verdict: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
}
