import type { MergedEnquiry } from '../assignment/assignment-cause.ts';
import type { Reference } from '../catalogue/lookups/reference.ts';
import { contactPointKey, type ContactPoint } from './contact-points.ts';
import { type Enquiry, namedListing, sentText } from './enquiry.ts';
import { fields } from './fields.ts';
import type { Listing } from './listing-inheritance.ts';
import { resolvedSource, resolveFields } from './lookup-semantics.ts';
import type { SentFields } from './timeline-notes.ts';

export interface Held<T> {
  contactPoint: ContactPoint;
  holder: T;
}

/** By the order of `contactPoints` (merge rule 1), then of `held`. */
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

export type MatchedOn = ContactPoint['kind'];

/** Merge rules 1 and 2. `openLeads`: newest first, without portal leads. */
export function mergeTarget(
  contactPoints: readonly ContactPoint[],
  openLeads: readonly Held<{ leadId: string }>[],
  isPortal: boolean,
): { leadId: string; matchedOn: MatchedOn } | null {
  if (isPortal) return null;
  const found = firstHolder(contactPoints, openLeads);
  return found ? { leadId: found.holder.leadId, matchedOn: found.contactPoint.kind } : null;
}

export type Merge = ReturnType<typeof describeMerge>;

export function describeMerge(
  enquiry: Enquiry,
  reference: Reference,
  listing: Listing | null,
  match: Pick<MergedEnquiry, 'matchedOn' | 'assignedTo'>,
) {
  const source = reference.lists.source.named(resolvedSource(enquiry, reference, null));
  const message = sentText(enquiry, 'initialInquiry');
  const named = namedListing(enquiry);
  const sent: SentFields = {
    ...sentFields(enquiry, reference, source?.id ?? null),
    ...(source && { source: source.name }),
    ...(named && listing && { [named.field]: listing.referenceNo }),
  };
  return { sent, message, enquiry: { source, ...match, hasMessage: message !== null } };
}

function sentFields(enquiry: Enquiry, reference: Reference, sourceId: string | null): SentFields {
  const { columns } = resolveFields(enquiry.values, reference, sourceId);
  const sent = fields.flatMap(({ name, column, match }) => {
    const list = typeof match === 'object' ? reference.lists[match.list] : null;
    const ids = [columns[column ?? ''] ?? []].flat();
    const names = ids.flatMap((id) => list?.named(String(id))?.name ?? []);
    return enquiry.values.has(name) ? [[name, names.join(', ') || null]] : [];
  });
  const blocks = (['adPlatform', 'comments', 'quiz'] as const).filter((name) => enquiry[name]);
  return Object.fromEntries([...sent, ...blocks.map((name) => [name, null])]);
}

/** Enquiries from property portals never merge (merge rule 2). */
export function comesFromPortal(enquiry: Enquiry, reference: Reference): boolean {
  const sourceId = resolvedSource(enquiry, reference, null);
  return sourceId !== null && reference.lists.source.byId(sourceId)?.portal === true;
}

/** merge rule 2 */
export function acceptsMerges(lead: {
  is_portal: boolean;
  merge_window_closed_at: string | null;
}): boolean {
  return !lead.is_portal && lead.merge_window_closed_at === null;
}

export function mergeWindowEnd(createdAt: Date, mergeWindowMs: number): Date {
  return new Date(createdAt.getTime() + mergeWindowMs);
}

/** The newest earlier lead, if its merge window is over (merge rule 3). */
export function markRepeatLead(contact: { olderLeadId: string | null } | null) {
  const repeatOfLeadId = contact?.olderLeadId ?? null;
  return { is_repeat_lead: repeatOfLeadId !== null, repeat_of_lead_id: repeatOfLeadId };
}
