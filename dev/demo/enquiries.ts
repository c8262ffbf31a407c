import type { LeadCreate, LeadUpdate } from '../client/lead-client.ts';
import type { Catalogue } from './catalogue.ts';
import { area, budget, type EnquiryContext, type MakeBody } from './details.ts';
import { createDice } from './dice.ts';
import { chatOrCall, otherFunnel, portal, referred } from './kinds/direct-contacts.ts';
import { adForm, quiz } from './kinds/forms.ts';
import { brokenLookups, competingAgent, landingPage } from './kinds/landing-pages.ts';
import { personOf } from './people.ts';

/** How the bodies of each kind are made, and how many enquiries of thirty are of it. */
const kinds = {
  'landing page': { makeBody: landingPage, share: 8 },
  'ad form': { makeBody: adForm, share: 5 },
  portal: { makeBody: portal, share: 4 },
  'chat or call': { makeBody: chatOrCall, share: 4 },
  quiz: { makeBody: quiz, share: 3 },
  'broken lookups': { makeBody: brokenLookups, share: 2 },
  'competing agent': { makeBody: competingAgent, share: 1 },
  referred: { makeBody: referred, share: 2 },
  'other funnel': { makeBody: otherFunnel, share: 1 },
} satisfies Record<string, { makeBody: MakeBody; share: number }>;

type Kind = keyof typeof kinds;

const deck = Object.entries(kinds).flatMap(([kind, { share }]) =>
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
    body: kinds[kind].makeBody(context),
    later: dice.chance(0.15) ? laterDetails(context) : null,
    responseSeconds: dice.chance(0.25) ? dice.int(20, 3600) : null,
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
  const details: readonly (() => LeadUpdate)[] = [
    () => ({ ...budget(context), areaOfInterest: area(context).name, languages: ['en', 'ar'] }),
    () => ({ areaOfInterest: area(context).name, leadType: 'Primary', priority: 'high' }),
    () => ({ initialInquiry: 'Now I can visit in person.', leadEmails: [context.who.email] }),
    () => ({ comments: [{ text: 'Called back, asks for a brochure.', direction: 'inbound' }] }),
  ];
  return context.dice.pick(details)();
}
