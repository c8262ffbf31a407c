import { firstHolder, type ContactPoint, type Held } from './contact-points.ts';

export type MatchedOn = 'phone' | 'email';

export interface MergeTarget {
  leadId: string;
  matchedOn: MatchedOn;
}

/**
 * The lead into which an enquiry is merged, if it falls into an open merge window (merge rules 1 and 2).
 * `openLeads` are leads whose window is open, newest first, without portal leads.
 */
export function mergeTarget(
  contactPoints: readonly ContactPoint[],
  openLeads: readonly Held<{ leadId: string }>[],
  isPortal: boolean,
): MergeTarget | null {
  if (isPortal) return null;
  const found = firstHolder(contactPoints, openLeads);
  return found ? { leadId: found.holder.leadId, matchedOn: found.contactPoint.kind } : null;
}

export function mergeWindowEnd(createdAt: Date, mergeWindowMs: number): Date {
  return new Date(createdAt.getTime() + mergeWindowMs);
}
