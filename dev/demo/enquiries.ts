import type { LeadUpdate } from '../client/generated.ts';
import type { Catalogue } from './catalogue.ts';
import { area, budget } from './details.ts';
import { createDice, type Dice } from './dice.ts';
import type { Enquiry, Kind, MakeBody, Scene } from './enquiry.ts';
import { adForm } from './kinds/ad-form.ts';
import { brokenLookups } from './kinds/broken-lookups.ts';
import { chatOrCall } from './kinds/chat-or-call.ts';
import { competingAgent } from './kinds/competing-agent.ts';
import { landingPage } from './kinds/landing-page.ts';
import { otherFunnel } from './kinds/other-funnel.ts';
import { portal } from './kinds/portal.ts';
import { quiz } from './kinds/quiz.ts';
import { referred } from './kinds/referred.ts';
import { personOf } from './people.ts';

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

export interface Wish {
  seed: string;
  count: number;
  catalogue: Catalogue;
}

/** The same for the same seed; a greater count only adds to the end. */
export function makeEnquiries({ seed, count, catalogue }: Wish): Enquiry[] {
  return Array.from({ length: count }, (_, number) => makeEnquiry(seed, number, catalogue));
}

function makeEnquiry(seed: string, number: number, catalogue: Catalogue): Enquiry {
  const kind = kindOf(seed, number);
  const dice = createDice(`${seed}/enquiry/${number}`);
  const author = authorOf(seed, number);
  const who = personOf(seed, author);
  const scene: Scene = { seed, number, who, isAgain: author !== number, dice, catalogue };
  return {
    number,
    kind,
    body: channels[kind].makeBody(scene),
    later: dice.chance(0.15) ? laterDetails(scene) : null,
    responseSeconds: dice.chance(0.25) ? dice.int(20, 3600) : null,
  };
}

/** Dealt from shuffled decks, so that every kind is among any thirty. */
function kindOf(seed: string, number: number): Kind {
  const round = Math.floor(number / deck.length);
  return createDice(`${seed}/deck/${round}`).shuffle(deck)[number % deck.length] as Kind;
}

/** Far enough behind that the first enquiry is in when the second is sent. */
const AGAIN_AFTER = 20;

/** One in eight is by somebody who wrote before. */
function authorOf(seed: string, number: number): number {
  const dice = createDice(`${seed}/author/${number}`);
  if (number < AGAIN_AFTER || !dice.chance(0.125)) return number;
  return authorOf(seed, dice.int(0, number - AGAIN_AFTER));
}

function laterDetails(scene: Scene): LeadUpdate {
  const details: readonly ((dice: Dice) => LeadUpdate)[] = [
    () => ({ ...budget(scene), areaOfInterest: area(scene).name, languages: ['en', 'ar'] }),
    () => ({ areaOfInterest: area(scene).name, leadType: 'Primary', priority: 'high' }),
    () => ({ initialInquiry: 'Now I can visit in person.', leadEmails: [scene.who.email] }),
    () => ({ comments: [{ text: 'Called back, asks for a brochure.', direction: 'inbound' }] }),
  ];
  return scene.dice.pick(details)(scene.dice);
}
