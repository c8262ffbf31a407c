import { contactPointKey } from './contact-points.ts';
import type { ContactPoint } from './contact-points.ts';

/** Something that is known by a phone or an e-mail: a contact, or a lead with an open merge window. */
export interface Held<T> {
  contactPoint: ContactPoint;
  holder: T;
}

/**
 * The holder of the first contact point that anyone holds: all phones in the order sent, then all e-mails
 * (Contact resolution, 1 and 2; merge rule 1). `held` is in order of preference for one contact point.
 */
export function firstHolder<T>(
  contactPoints: readonly ContactPoint[],
  held: readonly Held<T>[],
): Held<T> | null {
  for (const contactPoint of contactPoints) {
    const key = contactPointKey(contactPoint);
    const found = held.find((candidate) => contactPointKey(candidate.contactPoint) === key);
    if (found) return found;
  }
  return null;
}
