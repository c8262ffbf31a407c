import { contactPointKey, type ContactPoint } from './contact-points.ts';

/** The holder of a contact point: a contact, or a lead with an open merge window. */
export interface Held<T> {
  contactPoint: ContactPoint;
  holder: T;
}

/**
 * The holder of the first contact point that has one, in the order of `contactPointsOf`: all phones in the order sent, then
 * all e-mails (merge rule 1). `held` is in order of preference for one contact point.
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
