import type { LeadCreate, LeadUpdate } from '../client/lead-client.ts';
import type { Catalogue } from './catalogue.ts';
import { area, budget, person, source, type EnquiryContext, type MakeBody } from './details.ts';
import { createDice } from './dice.ts';
import * as bodies from './kinds.ts';
import { personOf } from './people.ts';

type Channel = readonly [
  /** How many enquiries of thirty are of this kind. */
  share: number,
  /** What its source and event type are called in the CRM. */
  source: RegExp | 'portal',
  eventType: RegExp | null,
  integrationRef: string,
  makeRest: MakeBody,
];

const WEB = /web|google|landing|seo/i;
const SOCIAL = /facebook|instagram|meta|tiktok|social|ad/i;
const CHAT = /whatsapp|call|phone|chat/i;

const kinds = {
  'landing page': [8, WEB, /form/i, 'landing-pages', bodies.landingPage],
  'ad form': [5, SOCIAL, /form/i, 'ad-forms', bodies.adForm],
  portal: [4, 'portal', null, 'portal-inbox', bodies.portal],
  'chat or call': [4, CHAT, /whatsapp|call|dm|push/i, 'messaging', bodies.chatOrCall],
  quiz: [3, /web|quiz|game/i, /gamification|quiz/i, 'home-finder', bodies.quiz],
  'broken lookups': [2, WEB, /form/i, 'landing-pages', bodies.brokenLookups],
  'competing agent': [1, WEB, /form/i, 'landing-pages', bodies.competingAgent],
  referred: [2, /refer|walk|event|office/i, null, 'back-office', bodies.referred],
  'other funnel': [1, /web|walk|call/i, null, 'service-desk', bodies.otherFunnel],
} satisfies Record<string, Channel>;

type Kind = keyof typeof kinds;

const deck = Object.entries(kinds).flatMap(([kind, [share]]) =>
  Array<Kind>(share).fill(kind as Kind),
);

/** One enquiry of the demo, with what is to happen to its lead afterwards. */
export interface Enquiry {
  number: number;
  kind: Kind;
  body: LeadCreate;
  /** Details that arrive later. */
  later: LeadUpdate | null;
  /** How long the agent took, if there is one by then. */
  responseSeconds: number | null;
}

export interface EnquiryPlan {
  seed: string;
  count: number;
  catalogue: Catalogue;
}

/** The same for the same seed; a greater count only adds to the end. */
export function makeEnquiries({ seed, count, catalogue }: EnquiryPlan): Enquiry[] {
  return Array.from({ length: count }, (_, number) => makeEnquiry(seed, number, catalogue));
}

function makeEnquiry(seed: string, number: number, catalogue: Catalogue): Enquiry {
  const kind = kindOf(seed, number);
  const dice = createDice(`${seed}/enquiry/${number}`);
  const author = authorOf(seed, number);
  const who = personOf(seed, author);
  const isReturning = author !== number;
  const context: EnquiryContext = { seed, number, who, isReturning, dice, catalogue };
  return {
    number,
    kind,
    body: makeBody(kinds[kind], context),
    later: dice.chance(0.15) ? laterDetails(context) : null,
    responseSeconds: dice.chance(0.25) ? dice.int(20, 3600) : null,
  };
}

function makeBody(channel: Channel, context: EnquiryContext): LeadCreate {
  const [, fromSource, ofEventType, integrationRef, makeRest] = channel;
  const eventTypes = context.catalogue.eventTypes.filter((name) => ofEventType?.test(name));
  return {
    ...person(context),
    ...source(context, fromSource),
    eventType: context.dice.pickAny(eventTypes),
    integrationRef,
    ...makeRest(context),
  };
}

/** Dealt from shuffled decks, so that every kind is among any thirty. */
function kindOf(seed: string, number: number): Kind {
  const round = Math.floor(number / deck.length);
  return createDice(`${seed}/deck/${round}`).shuffle(deck)[number % deck.length] as Kind;
}

/** Far enough behind that the first enquiry is in when the second is sent. */
const RETURNS_AFTER = 20;

/** One in eight is by somebody who wrote before. */
function authorOf(seed: string, number: number): number {
  const dice = createDice(`${seed}/author/${number}`);
  if (number < RETURNS_AFTER || !dice.chance(0.125)) return number;
  return authorOf(seed, dice.int(0, number - RETURNS_AFTER));
}

function laterDetails(context: EnquiryContext): LeadUpdate {
  const areaOfInterest = area(context).name;
  return context.dice.pick<LeadUpdate>([
    { ...budget(context), areaOfInterest, languages: ['en', 'ar'] },
    { areaOfInterest, leadType: 'Primary', priority: 'high' },
    { initialInquiry: 'Now I can visit in person.', leadEmails: [context.who.email] },
    { comments: [{ text: 'Called back, asks for a brochure.', direction: 'inbound' }] },
  ]);
}
