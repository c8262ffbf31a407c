import type { ContactPoint } from './contact-points.ts';

export type AgentEnquiryReason = 'manual' | 'known_agent' | 'competitor_domain' | 'prior_lead';

interface KnownPoints {
  isKnownAgent: boolean;
  contactPoints: readonly ContactPoint[];
}

interface AgentEnquiryFacts extends KnownPoints {
  contact: (KnownPoints & { markedAsAgent: boolean; hasAgentLead: boolean }) | null;
  competitorDomains: ReadonlySet<string>;
}

/**
 * Returns the first reason why the enquiry is a competing agent's; null for a customer's. The phones and emails that were
 * sent come before the contact's others.
 */
export function agentEnquiryReason(facts: AgentEnquiryFacts): AgentEnquiryReason | null {
  const { contact, competitorDomains } = facts;
  if (contact?.markedAsAgent) return 'manual';
  const priorLead = contact?.hasAgentLead ? 'prior_lead' : null;
  return reasonOf(facts, competitorDomains) ?? priorLead ?? reasonOf(contact, competitorDomains);
}

function reasonOf(points: KnownPoints | null, domains: ReadonlySet<string>) {
  if (points?.isKnownAgent) return 'known_agent';
  return points?.contactPoints.some((each) => isAt(each, domains)) ? 'competitor_domain' : null;
}

/** A subdomain belongs to its domain: mail.rival.example is rival.example. */
function isAt(contactPoint: ContactPoint, domains: ReadonlySet<string>): boolean {
  if (contactPoint.kind !== 'email') return false;
  const labels = (contactPoint.value.split('@').at(-1) ?? '').split('.');
  return labels.some((_label, index) => domains.has(labels.slice(index).join('.')));
}
