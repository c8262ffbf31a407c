import { afterAll, beforeAll, test } from '@jest/globals';
import fc from 'fast-check';
import { startIntake } from '../../support/intake.ts';
import {
  HOURS_NAMES,
  openBrokerage,
  prepareGround,
  type AgentTerms,
  type Command,
  type Ground,
} from './months/brokerage.ts';
import type { RuleTerms } from './months/model.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await prepareGround(await startIntake());
});
afterAll(() => ground.close());

/** Sequences of thirty commands, after an import of the agents. After a change of routing, 10,000 once. */
const RUNS = 200;

const of = <Kind extends Command['kind']>(...kinds: Kind[]) => fc.constantFrom(...kinds);
/** Of few leads, so that much happens to each. */
const [agent, lead] = [fc.nat({ max: 2 }), fc.nat({ max: 2 })];
const cap = fc.option(fc.nat({ max: 2 }), { freq: 2 });

const ruleTerms: fc.Arbitrary<RuleTerms> = fc.record({
  keepsHours: fc.boolean(),
  isLeastLoaded: fc.boolean(),
  atMostMinutes: fc.option(fc.constantFrom(30, 600, 1500, 5000), { freq: 5 }),
  leave: fc.constantFrom('next', 'pool', 'unassigned'),
  minutes: fc.constantFrom(0, 1, 20, 45, 300),
  isWorkingClock: fc.boolean(),
  onExpiry: fc.constantFrom('note', 'reassign', 'reassign', 'pool'),
  maxMoves: fc.nat({ max: 3 }),
});
const agentTerms: fc.Arbitrary<AgentTerms> = fc.record({
  active: fc.nat({ max: 4 }).map((number) => number > 0),
  hours: fc.constantFrom(...HOURS_NAMES),
  dailyCap: cap,
  openCap: cap,
});
const minutes = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 90 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 48 }).map((steps) => steps * 30) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }).map((days) => days * 1440) },
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.record({ kind: of('restart') }) },
  { weight: 4, arbitrary: fc.record({ kind: of('create') }) },
  { weight: 8, arbitrary: fc.record({ kind: of('pass'), minutes }) },
  { weight: 6, arbitrary: fc.record({ kind: of('update', 'update', 'respond'), lead }) },
  { weight: 4, arbitrary: fc.record({ kind: of('toRules', 'toPool'), lead }) },
  { weight: 3, arbitrary: fc.record({ kind: of('toAgent', 'claim'), lead, agent }) },
  { weight: 1, arbitrary: fc.record({ kind: of('release'), agent, onlyWaiting: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: of('pause'), agent }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: of('absent'), agent },
      ...{
        inSteps: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
        steps: fc.integer({ min: 1, max: 100 }),
      },
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: of('change'), agent, to: agentTerms }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: of('newRules'), first: ruleTerms, second: fc.option(ruleTerms) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: of('earlierRules'), back: fc.nat({ max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.oneof(fc.record({ kind: of('restart') }), fc.record({ kind: of('again'), lead })),
  },
);

const beginning = fc
  .tuple(agentTerms, agentTerms, agentTerms)
  .map((all) => all.map((to, each): Command => ({ kind: 'change', agent: each, to })));

const NOTE_ONLY: RuleTerms = {
  ...{ keepsHours: false, isLeastLoaded: false, atMostMinutes: 600, leave: 'pool' },
  ...{ minutes: 0, isWorkingClock: false, onExpiry: 'note', maxMoves: 0 },
};
const absences = (steps: number) =>
  [0, 1, 2].map((each) => ({ kind: 'absent', agent: each, inSteps: 0, steps }) as const);

/** A wait that ends in a pool, and a second one; chance seldom has a lead in a pool wait again. */
const WAITS_TWICE: Command[] = [
  ...[{ kind: 'newRules', first: NOTE_ONLY, second: null } as const, ...absences(4)],
  ...[{ kind: 'create' } as const, ...absences(100), { kind: 'pass', minutes: 2600 } as const],
  ...[{ kind: 'create' } as const, { kind: 'toRules', lead: 0 } as const],
  { kind: 'pass', minutes: 600 },
];

test('over months, leads, agents, clocks, waits and exclusions are as the model has them', async () => {
  const commands = fc
    .tuple(beginning, fc.array(command, { minLength: 30, maxLength: 30 }))
    .map((both) => both.flat());
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const brokerage = await openBrokerage(ground);
      for (const each of sequence) await brokerage.run(each);
      await brokerage.end();
    }),
    {
      numRuns: RUNS,
      examples: [[WAITS_TWICE]],
      interruptAfterTimeLimit: 7_200_000,
      markInterruptAsFailure: true,
      includeErrorInReport: true,
    },
  );
}, 7_300_000);
