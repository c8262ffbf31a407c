import fc from 'fast-check';
import { playSettings } from '../../support/environment.ts';
import { startIntake } from '../../support/api.ts';
import {
  HOURS_NAMES,
  openBrokerage,
  prepareGround,
  type AgentTerms,
  type Command,
} from './months/brokerage.ts';
import type { RuleTerms } from './months/model.ts';

const ground = await prepareGround(await startIntake());
afterAll(() => ground.close());

/** Sequences of thirty commands. CONTRIBUTING.md says when to play more. */
const { sequences: numRuns = 50, ...chosenSeed } = playSettings();

const of = <Kind extends Command['kind']>(...kinds: Kind[]) => fc.constantFrom(...kinds);
/** Few agents and leads, so that much happens to each. */
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
  { weight: 3, arbitrary: fc.record({ kind: of('undo', 'undo', 'toAnybody'), lead }) },
  { weight: 3, arbitrary: fc.record({ kind: of('toAgent', 'claim'), lead, agent }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: of('release'),
      agent,
      which: fc.constantFrom('unanswered', 'waiting', 'responded too'),
      to: fc.constantFrom('agent', 'pool', 'rules', 'rules'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: of('pause'), agent }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: of('absent'),
      agent,
      inSteps: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
      steps: fc.integer({ min: 1, max: 100 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: of('change'), agent, to: agentTerms }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: of('newRules'),
      first: ruleTerms,
      second: fc.option(ruleTerms),
      isRenamed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: of('earlierRules'), back: fc.nat({ max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.oneof(fc.record({ kind: of('restart') }), fc.record({ kind: of('again'), lead })),
  },
);

const agents: fc.Arbitrary<AgentTerms[]> = fc.tuple(agentTerms, agentTerms, agentTerms);

const OFFICE: AgentTerms = { active: true, hours: 'office', dailyCap: null, openCap: null };
const BY_DAY: RuleTerms = {
  keepsHours: true,
  isLeastLoaded: false,
  atMostMinutes: 1500,
  leave: 'pool',
  minutes: 0,
  isWorkingClock: false,
  onExpiry: 'note',
  maxMoves: 0,
};
const ANY_TIME: RuleTerms = { ...BY_DAY, keepsHours: false, atMostMinutes: 600 };
const absences = (steps: number) =>
  [0, 1, 2].map((each): Command => ({ kind: 'absent', agent: each, inSteps: 0, steps }));
const changes = (to: AgentTerms) =>
  [0, 1, 2].map((each): Command => ({ kind: 'change', agent: each, to }));
const office = changes(OFFICE);
const ANY_HOURS: AgentTerms = { ...OFFICE, hours: 'any' };
const onlyOne = changes({ ...ANY_HOURS, openCap: 1 });
const newRules = (first: RuleTerms, second: RuleTerms | null = null): Command => ({
  kind: 'newRules',
  first,
  second,
  isRenamed: false,
});
const create: Command = { kind: 'create' };
const ofFirst = (kind: 'update' | 'respond' | 'toRules' | 'toPool' | 'undo'): Command => ({
  kind,
  lead: 0,
});
const giveFirst: Command = { kind: 'toAgent', lead: 0, agent: 1 };
const pass = (howLong: number): Command => ({ kind: 'pass', minutes: howLong });

/** What chance seldom finds. */
const EXAMPLES: Record<string, Command[]> = {
  'a lead waits, goes to a pool and waits again': [
    newRules(ANY_TIME),
    ...absences(4),
    create,
    ...absences(100),
    pass(2600),
    create,
    ofFirst('toRules'),
    pass(600),
  ],
  'rules are taken back while a lead waits': [
    newRules(BY_DAY),
    ...office,
    pass(1050),
    create,
    newRules({ ...BY_DAY, atMostMinutes: null, leave: 'next' }, BY_DAY),
    { kind: 'earlierRules', back: 1 } as const,
    pass(900),
  ],
  'a lead that is taken from agents waits': [
    newRules(ANY_TIME),
    create,
    ofFirst('toRules'),
    ofFirst('toPool'),
    ofFirst('update'),
    ...absences(4),
    ofFirst('toRules'),
    ofFirst('update'),
    ofFirst('toRules'),
    pass(120),
  ],
  'a lead that is taken from an agent waits in vain and is claimed': [
    newRules(ANY_TIME),
    create,
    ...absences(4),
    ofFirst('toRules'),
    ...absences(100),
    pass(700),
    { kind: 'claim', lead: 0, agent: 0 } as const,
  ],
  'a lead that waits is given to an agent, and this is taken back': [
    newRules(ANY_TIME),
    ...absences(16),
    create,
    pass(90),
    create,
    giveFirst,
    pass(90),
    ofFirst('undo'),
    pass(90),
    ofFirst('update'),
    pass(600),
  ],
  'a hand-over is taken back twice, and the rules route the lead': [
    newRules(ANY_TIME),
    create,
    ofFirst('toPool'),
    pass(5),
    ofFirst('undo'),
    pass(5),
    ofFirst('undo'),
    ofFirst('toRules'),
    ofFirst('undo'),
    ofFirst('update'),
    ofFirst('toRules'),
  ],
  'rules get other names while a lead waits': [
    newRules(ANY_TIME),
    ...absences(16),
    create,
    pass(90),
    { ...newRules(ANY_TIME), isRenamed: true } as Command,
    pass(90),
    newRules(ANY_TIME),
    pass(600),
  ],
  'a follow-up expires while nobody is free, twice': [
    newRules({ ...BY_DAY, minutes: 20, onExpiry: 'reassign', maxMoves: 2 }),
    ...onlyOne,
    create,
    create,
    create,
    pass(30),
    ofFirst('respond'),
    pass(15),
    ...changes(OFFICE),
    pass(1440),
    ofFirst('toRules'),
    pass(1440),
  ],
  'a lead that moves at midnight frees an agent for an older one': [
    { kind: 'change', agent: 0, to: { ...ANY_HOURS, active: false } },
    { kind: 'change', agent: 1, to: { ...ANY_HOURS, openCap: 1 } },
    { kind: 'change', agent: 2, to: { ...ANY_HOURS, dailyCap: 2 } },
    create,
    pass(30),
    create,
    create,
    pass(1350),
  ],
  'a working clock is extended by an absence, and the others are absent when it ends': [
    newRules({ ...BY_DAY, minutes: 45, isWorkingClock: true, onExpiry: 'reassign', maxMoves: 2 }),
    ...office,
    create,
    ...absences(5),
    pass(60),
    ...absences(12),
    pass(2880),
  ],
  'a second response comes after the lead no longer counted': [
    newRules({ ...ANY_TIME, isLeastLoaded: true }),
    ...onlyOne,
    create,
    ofFirst('respond'),
    create,
    create,
    create,
    ofFirst('respond'),
  ],
};

test('over months, leads, agents, clocks, waits and exclusions are as the model has them', async () => {
  const commands = fc.array(command, { minLength: 30, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(agents, commands, async (terms, sequence) => {
      const brokerage = await openBrokerage(ground, terms);
      for (const each of sequence) await brokerage.run(each);
      await brokerage.end();
    }),
    {
      numRuns,
      ...chosenSeed,
      examples: Object.values(EXAMPLES).map((each): [AgentTerms[], Command[]] => [[], each]),
      interruptAfterTimeLimit: 7_200_000,
      markInterruptAsFailure: true,
      includeErrorInReport: true,
    },
  );
}, 7_300_000);
