import type { LeadCreate } from '../../client/lead-client.ts';
import {
  area,
  budget,
  chatLine,
  known,
  messageIn,
  moment,
  oneOf,
  person,
  source,
  type EnquiryContext,
  type MakeBody,
} from '../details.ts';

/** An enquiry about a listing, from a property portal. */
export const portal: MakeBody = (context) => ({
  ...person(context),
  ...source(context, /./, true),
  ...listing(context),
  ...(context.dice.chance(0.2) && { budgetMax: String(context.dice.int(5, 40) * 100_000) }),
  initialInquiry: messageIn(context.who.language, area(context), context.dice),
  integrationRef: 'portal-inbox',
});

function listing({ catalogue, dice }: EnquiryContext) {
  const ambiguous = catalogue.ambiguousReferenceNos;
  if (ambiguous.length > 0 && dice.chance(0.1)) return { referenceNo: dice.pick(ambiguous) };
  if (catalogue.referenceNos.length === 0) return {};
  const referenceNo = dice.pick(catalogue.referenceNos);
  return { referenceNo: dice.chance(0.2) ? ` ${referenceNo.toLowerCase()} ` : referenceNo };
}

/** WhatsApp clicks, calls and direct messages, with the conversation so far. */
export const chatOrCall: MakeBody = (context) => {
  const { who, dice, catalogue } = context;
  const place = area(context);
  return {
    ...person(context),
    leadPhones: [who.phone],
    ...source(context, /whatsapp|call|phone|chat/i),
    ...oneOf('eventType', known(catalogue.eventTypes, /whatsapp|call|dm|push/i), context),
    ...(dice.chance(0.6) && { areaOfInterest: place.name }),
    initialInquiry: messageIn(who.language, place, dice),
    languages: [who.language, ...(dice.chance(0.3) ? ['English'] : [])],
    integrationRef: 'messaging',
    comments: conversation(context),
  };
};

/** Now and then more than the five that one request may carry. */
function conversation(context: EnquiryContext): NonNullable<LeadCreate['comments']> {
  const lines = context.dice.chance(0.1) ? 7 : context.dice.int(1, 4);
  return Array.from({ length: lines }, (_, index) => {
    const direction = index % 2 === 0 ? 'inbound' : 'outbound';
    return {
      date: moment(context, index),
      text: chatLine(direction, context.dice),
      channel: 'whatsapp',
      direction,
      externalId: `wa-${context.seed}-${context.number}-${index}`,
    };
  });
}

/** Enquiries that say who should have them: by name, or by how they are to be distributed. */
export const referred: MakeBody = (context) => {
  const place = area(context);
  return {
    ...person(context),
    ...source(context, /refer|walk|event|office/i),
    areaOfInterest: place.name,
    ...budget(context),
    initialInquiry: messageIn(context.who.language, place, context.dice),
    languages: [context.who.language],
    priority: context.dice.pick(['high', 'VIP', 'normal']),
    integrationRef: 'back-office',
    ...distribution(context),
  };
};

const TYPES = [
  'Campaign distribution',
  'language',
  'Location distribution',
  'Developer and Area distribution',
  'ROADSHOW',
  'Whoever is free', // matches no rule, and is never refused
];

function distribution({ catalogue, dice }: EnquiryContext): LeadCreate {
  const { agents, formerAgents } = catalogue;
  if (agents.length === 0 || dice.chance(0.45)) return { distributionType: dice.pick(TYPES) };
  const left = formerAgents.length > 0 ? formerAgents : ['nobody.now@agency.example'];
  const assignedBy = dice.pick(dice.chance(0.2) ? left : agents);
  return dice.chance(0.7) ? { assignedBy, distributionType: 'Personal' } : { assignedBy };
}

/** Not a purchase: what goes to another pipeline than sales. */
export const otherFunnel: MakeBody = (context) => {
  const { dice, who } = context;
  const place = area(context);
  const [funnel, leadType] = dice.pick(FUNNELS);
  return {
    ...person(context),
    ...source(context, /web|walk|call/i),
    funnel,
    ...(leadType && { leadType }),
    areaOfInterest: place.name,
    initialInquiry: messageIn(who.language, place, dice),
    languages: [who.language],
    integrationRef: 'service-desk',
  };
};

/** Funnels by name and by key, as callers spell them. */
const FUNNELS: readonly (readonly [funnel: string, leadType: string | null])[] = [
  ['Leasing', 'Tenant'],
  ['leasing', 'Landlord'],
  ['mortgages', 'Mortgages'],
  ['Property-Management', 'Owner'],
  ['Landlord/Sellers Listings', 'Seller'],
  ['RECRUITMENT', null],
];
