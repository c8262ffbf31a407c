import type { LeadCreate, LeadUpdate } from '../client/lead-client.ts';
import type { Catalogue } from './catalogue.ts';
import { area, budget } from './details.ts';
import { createDice, type Dice } from './dice.ts';
import { adForm } from './kinds/forms.ts';
import { brokenLookups } from './kinds/landing-pages.ts';
import { chatOrCall } from './kinds/direct-contacts.ts';
import { competingAgent } from './kinds/landing-pages.ts';
import { landingPage } from './kinds/landing-pages.ts';
import { otherFunnel } from './kinds/direct-contacts.ts';
import { portal } from './kinds/direct-contacts.ts';
import { quiz } from './kinds/forms.ts';
import { referred } from './kinds/direct-contacts.ts';
import { personOf, type Person } from './people.ts';

interface Channel {
  makeBody: MakeBody;
  /** Out of 30 enquiries. */
  share: number;
}

const channels: Readonly<Record<Kind, Channel>> = {
  'landing page': { makeBody: landingPage, share: 8 },
  'ad form': { makeBody: adForm, share: 5 },
  portal: { makeBody: portal, share: 4 },
  'chat or call': { makeBody: chatOrCall, share: 4 },
  quiz: { makeBody: quiz, share: 3 },
  'broken lookups': { makeBody: brokenLookups, share: 2 },
  'competing agent': { makeBody: competingAgent, share: 1 },
  referred: { makeBody: referred, share: 2 },
  'other funnel': { makeBody: otherFunnel, share: 1 },
};

const deck = Object.entries(channels).flatMap(([kind, { share }]) =>
  Array<Kind>(share).fill(kind as Kind),
);

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
  const context: EnquiryContext = {
    seed,
    number,
    who,
    isReturning: author !== number,
    dice,
    catalogue,
  };
  return {
    number,
    kind,
    body: channels[kind].makeBody(context),
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
  const details: readonly ((dice: Dice) => LeadUpdate)[] = [
    () => ({ ...budget(context), areaOfInterest: area(context).name, languages: ['en', 'ar'] }),
    () => ({ areaOfInterest: area(context).name, leadType: 'Primary', priority: 'high' }),
    () => ({ initialInquiry: 'Now I can visit in person.', leadEmails: [context.who.email] }),
    () => ({ comments: [{ text: 'Called back, asks for a brochure.', direction: 'inbound' }] }),
  ];
  return context.dice.pick(details)(context.dice);
}

export type Kind =
  | 'landing page'
  | 'ad form'
  | 'portal'
  | 'chat or call'
  | 'quiz'
  | 'broken lookups'
  | 'competing agent'
  | 'referred'
  | 'other funnel';

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

export interface EnquiryContext {
  seed: string;
  number: number;
  who: Person;
  /** The person has written before, and gives phone and e-mail in another form. */
  isReturning: boolean;
  dice: Dice;
  catalogue: Catalogue;
}

export type MakeBody = (context: EnquiryContext) => LeadCreate;
