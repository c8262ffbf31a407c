import type { LeadCreate } from '../../client/lead-client.ts';
import { budget, moment, wish, type EnquiryContext, type MakeBody } from '../details.ts';

/** An enquiry about a listing, from a property portal. */
export const portal: MakeBody = (context) => ({
  ...wish(context, 0),
  referenceNo: referenceNo(context),
  budgetMax: context.dice.chance(0.2) ? String(context.dice.int(5, 40) * 100_000) : undefined,
  languages: undefined,
});

function referenceNo({ catalogue, dice }: EnquiryContext): string | undefined {
  const ambiguous = dice.pickAny(catalogue.ambiguousReferenceNos);
  if (ambiguous && dice.chance(0.1)) return ambiguous;
  const found = dice.pickAny(catalogue.referenceNos);
  return found && dice.chance(0.2) ? ` ${found.toLowerCase()} ` : found;
}

/** WhatsApp clicks, calls and direct messages, with the conversation so far. */
export const chatOrCall: MakeBody = (context) => ({
  ...wish(context, 0.6),
  leadPhones: [context.who.phone],
  languages: [context.who.language, ...(context.dice.chance(0.3) ? ['English'] : [])],
  comments: conversation(context),
});

/** Now and then more than the five that one request may carry. */
function conversation(context: EnquiryContext): LeadCreate['comments'] {
  const { seed, number, dice } = context;
  return Array.from({ length: dice.chance(0.1) ? 7 : dice.int(1, 4) }, (_, index) => {
    const direction = index % 2 === 0 ? 'inbound' : 'outbound';
    return {
      date: moment(context, index),
      text: dice.pick(CHAT_LINES[direction]),
      channel: 'whatsapp',
      direction,
      externalId: `wa-${seed}-${number}-${index}`,
    };
  });
}

const CHAT_LINES = {
  inbound: [
    'Hi, is it still available?',
    'هل السعر قابل للتفاوض؟',
    'Could you send the brochure?',
    'Yes, tomorrow at five works.',
  ],
  outbound: ['Good morning! Which area do you have in mind?', 'أهلاً بك، تم إرسال الكتيّب.'],
};

/** Enquiries that say who should have them: by name, or by how they are to be distributed. */
export const referred: MakeBody = (context) => ({
  ...wish(context),
  ...budget(context),
  priority: context.dice.pick(['high', 'VIP', 'normal']),
  ...distribution(context),
});

function distribution({ catalogue, dice }: EnquiryContext): LeadCreate {
  const former = dice.pickAny(catalogue.formerAgents) ?? 'nobody.now@agency.example';
  const agent = dice.pickAny(catalogue.agents);
  if (!agent || dice.chance(0.45)) return { distributionType: dice.pick(DISTRIBUTION_TYPES) };
  const assignedBy = dice.chance(0.2) ? former : agent;
  return { assignedBy, distributionType: dice.chance(0.7) ? 'Personal' : undefined };
}

const DISTRIBUTION_TYPES = [
  'Campaign distribution',
  'language',
  'Location distribution',
  'Developer and Area distribution',
  'ROADSHOW',
  'Whoever is free', // matches no rule, and is never refused
];

/** Not a purchase: what goes to another pipeline than sales. */
export const otherFunnel: MakeBody = (context) => ({
  ...wish(context),
  ...context.dice.pick(FUNNELS),
});

/** Funnels by name and by key, as callers spell them. */
const FUNNELS = [
  { funnel: 'Leasing', leadType: 'Tenant' },
  { funnel: 'leasing', leadType: 'Landlord' },
  { funnel: 'mortgages', leadType: 'Mortgages' },
  { funnel: 'Property-Management', leadType: 'Owner' },
  { funnel: 'Landlord/Sellers Listings', leadType: 'Seller' },
  { funnel: 'RECRUITMENT' },
];
