import type { ContactPoint } from './contact-points.ts';

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
