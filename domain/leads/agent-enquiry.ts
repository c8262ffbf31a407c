import type { ContactPoint } from './contact-points.ts';

export type AgentEnquiryReason = 'manual' | 'known_agent' | 'competitor_domain' | 'prior_lead';

export interface KnownPoints {
  isKnownAgent: boolean;
  contactPoints: readonly ContactPoint[];
}

interface AgentEnquiryFacts extends KnownPoints {
  contact: { markedAsAgent: boolean; hasAgentLead: boolean; known: KnownPoints } | null;
  competitorDomains: ReadonlySet<string>;
}

export function agentEnquiryReason(facts: AgentEnquiryFacts): AgentEnquiryReason | null {
  const { contact, competitorDomains } = facts;
  if (contact?.markedAsAgent) return 'manual';
  const priorLead = contact?.hasAgentLead ? 'prior_lead' : null;
  const ofContact = contact && reasonOf(contact.known, competitorDomains);
  return reasonOf(facts, competitorDomains) ?? priorLead ?? ofContact;
}

function reasonOf({ isKnownAgent, contactPoints }: KnownPoints, domains: ReadonlySet<string>) {
  if (isKnownAgent) return 'known_agent';
  return contactPoints.some((each) => isAt(each, domains)) ? 'competitor_domain' : null;
}

const FREE_MAIL = new Set(
  `gmail.com googlemail.com yahoo.com ymail.com hotmail.com outlook.com live.com msn.com icloud.com me.com aol.com
  proton.me protonmail.com gmx.com gmx.de gmx.net web.de mail.com mail.ru yandex.com yandex.ru zoho.com qq.com 163.com
  rediffmail.com emirates.net.ae eim.ae`.split(/\s+/),
);

export const isFreeMail = (domain: string) => FREE_MAIL.has(domain);

/** A subdomain belongs to its domain: mail.rival.example is rival.example. */
function isAt(contactPoint: ContactPoint, domains: ReadonlySet<string>): boolean {
  if (contactPoint.kind !== 'email') return false;
  const labels = (contactPoint.value.split('@').at(-1) ?? '').split('.');
  return labels.some((_label, index) => domains.has(labels.slice(index).join('.')));
}
