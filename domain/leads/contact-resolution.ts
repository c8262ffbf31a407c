import { handleKey } from './contact-points.ts';
import type { Handle } from './contact-points.ts';

/** Something that is known by a phone or an e-mail: a contact, or a lead with an open merge window. */
export interface Held<T> {
  handle: Handle;
  holder: T;
}

/**
 * The holder of the first handle that anyone holds: all phones in the order sent, then all e-mails
 * (Contact resolution, 1 and 2; merge rule 1). `held` is in order of preference for one handle.
 */
export function firstHolder<T>(
  handles: readonly Handle[],
  held: readonly Held<T>[],
): Held<T> | null {
  for (const handle of handles) {
    const key = handleKey(handle);
    const found = held.find((candidate) => handleKey(candidate.handle) === key);
    if (found) return found;
  }
  return null;
}
