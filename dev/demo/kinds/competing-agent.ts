import type { MakeBody, Scene } from '../enquiry.ts';
import { landingPage } from './landing-page.ts';

/** Someone of another agency who asks like a customer: known by name, or by the e-mail's domain. */
export const competingAgent: MakeBody = (scene) => ({
  ...landingPage(scene),
  ...identity(scene),
  leadCompanyName: 'Rival Homes',
  initialInquiry: 'My client would like to view this week. What is your commission split?',
});

function identity({ catalogue, dice, who, number }: Scene) {
  const { knownAgents, competitorDomains } = catalogue;
  if (knownAgents.length > 0 && (competitorDomains.length === 0 || dice.chance(0.4))) {
    const { kind, value } = dice.pick(knownAgents);
    return kind === 'phone'
      ? { leadPhones: [value], leadEmails: null }
      : { leadEmails: [value], leadPhones: null };
  }
  if (competitorDomains.length === 0) return {};
  const leadEmails = [`broker${number}@${dice.pick(competitorDomains)}`];
  return { leadPhones: [who.phone], leadEmails };
}
