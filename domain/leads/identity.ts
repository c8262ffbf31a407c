import { type ContactPoint, contactPointKey } from './contact-points.ts';

export type MatchedOn = 'phone' | 'email';

interface MergeTarget {
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

/**
 * A person whose earlier lead is older than the merge window gets a new lead, which names the newest such
 * lead (merge rule 3). It is a marker only.
 */
export function markRepeatLead(contact: { olderLeadId: string | null } | null) {
  const repeatOfLeadId = contact?.olderLeadId ?? null;
  return { is_repeat_lead: repeatOfLeadId !== null, repeat_of_lead_id: repeatOfLeadId };
}

export type AgentEnquiryReason = 'manual' | 'known_agent' | 'competitor_domain' | 'prior_lead';

interface AgentEnquiryFacts {
  contact: { markedAsAgent: boolean; hasAgentLead: boolean } | null;
  isKnownAgent: boolean;
  contactPoints: readonly ContactPoint[];
  competitorDomains: ReadonlySet<string>;
}

/** Returns the first reason why the enquiry is a competing agent's; null for a customer's. */
export function agentEnquiryReason(facts: AgentEnquiryFacts): AgentEnquiryReason | null {
  if (facts.contact?.markedAsAgent) return 'manual';
  if (facts.isKnownAgent) return 'known_agent';
  const isOfCompetitor = facts.contactPoints.some((each) => isAt(each, facts.competitorDomains));
  if (isOfCompetitor) return 'competitor_domain';
  return facts.contact?.hasAgentLead ? 'prior_lead' : null;
}

/** A subdomain belongs to its domain: mail.rival.example is rival.example. */
function isAt(contactPoint: ContactPoint, domains: ReadonlySet<string>): boolean {
  if (contactPoint.kind !== 'email') return false;
  const labels = (contactPoint.value.split('@').at(-1) ?? '').split('.');
  return labels.some((_label, index) => domains.has(labels.slice(index).join('.')));
}

/** The holder of a contact point: a contact, or a lead with an open merge window. */
interface Held<T> {
  contactPoint: ContactPoint;
  holder: T;
}

/**
 * The holder of the first contact point that has one: all phones in the order sent, then all e-mails
 * (merge rule 1). `held` is in order of preference for one contact point.
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
