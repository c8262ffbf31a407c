import type { LeadCreate, LeadUpdate } from '../client/generated.ts';
import type { Catalogue } from './catalogue.ts';
import type { Dice } from './dice.ts';
import type { Person } from './people.ts';

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

export interface Scene {
  seed: string;
  number: number;
  who: Person;
  /** The person has written before, and gives phone and e-mail in another form. */
  isAgain: boolean;
  dice: Dice;
  catalogue: Catalogue;
}

export type MakeBody = (scene: Scene) => LeadCreate;
