import type { Reference } from '../catalogue/lookups/reference.ts';
import { type ContactPoint } from './contact-points.ts';
import { firstHolder, type Held } from './match-person.ts';
import type { Enquiry } from './enquiry.ts';
import { resolvedSource } from './lookup-semantics.ts';

export type MatchedOn = 'phone' | 'email';

/**
 * The lead into which an enquiry is merged, if it falls into an open merge window (merge rules 1 and 2).
 * `openLeads` are leads whose window is open, newest first, without portal leads.
 */
export function mergeTarget(
  contactPoints: readonly ContactPoint[],
  openLeads: readonly Held<{ leadId: string }>[],
  isPortal: boolean,
): { leadId: string; matchedOn: MatchedOn } | null {
  if (isPortal) return null;
  const found = firstHolder(contactPoints, openLeads);
  return found ? { leadId: found.holder.leadId, matchedOn: found.contactPoint.kind } : null;
}

/** Enquiries from property portals never merge (merge rule 2). */
export function comesFromPortal(enquiry: Enquiry, reference: Reference): boolean {
  const sourceId = resolvedSource(enquiry, reference, null);
  return sourceId !== null && reference.lists.source.byId(sourceId)?.portal === true;
}

/** Whether later enquiries of the same person merge into a lead. None merges into a portal lead (merge rule 2). */
export function acceptsMerges(lead: {
  is_portal: boolean;
  merge_window_closed_at: string | null;
}): boolean {
  return !lead.is_portal && lead.merge_window_closed_at === null;
}

export function mergeWindowEnd(createdAt: Date, mergeWindowMs: number): Date {
  return new Date(createdAt.getTime() + mergeWindowMs);
}

/**
 * A person whose earlier lead is older than the merge window gets a new lead, which names the newest such
 * lead (merge rule 3). It is a marker only. `olderLeadId` is found in store/leads/intake-facts.ts.
 */
export function markRepeatLead(contact: { olderLeadId: string | null } | null) {
  const repeatOfLeadId = contact?.olderLeadId ?? null;
  return { is_repeat_lead: repeatOfLeadId !== null, repeat_of_lead_id: repeatOfLeadId };
}
