import * as fc from 'fast-check';

/** How a lead is routed; each kind has a source that one rule matches. */
export const kinds = ['Team', 'Pool', 'Returning', 'Capped', 'Nobody', 'Personal'] as const;
export type Kind = (typeof kinds)[number];

export type Action =
  | { act: 'create'; kind: Kind; person: number | null }
  | { act: 'update'; lead: number; kind: Kind }
  | { act: 'comment'; lead: number }
  | { act: 'claim'; lead: number; agent: number }
  | { act: 'respond'; lead: number };

const PEOPLE = 12;
const lead = fc.nat();
const kind = fc.constantFrom(...kinds);
const person = fc.option(fc.nat({ max: PEOPLE - 1 }), { freq: 2 });

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('create' as const), kind, person }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('update' as const), lead, kind }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('comment' as const), lead }) },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('claim' as const), lead, agent: fc.nat() }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('respond' as const), lead }) },
);

/** The same seed gives the same plan; the order in which concurrent actions commit is not fixed. */
export function planOf(seed: number, length: number): Action[] {
  return fc.sample(action, { seed, numRuns: length });
}
