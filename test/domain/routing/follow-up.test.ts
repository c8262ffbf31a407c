import { followUpAfterClaim } from '../../../domain/routing/follow-up.ts';
import { contentHash } from '../../../domain/canonical-json.ts';
import { decide, reassign } from '../../../domain/routing/decide.ts';
import { matchRules } from '../../../domain/routing/match-rules.ts';
import { differences } from '../../../domain/routing/recompute.ts';
import type { RosterAgent } from '../../../domain/routing/roster.ts';
import { makeAgent, makeFacts, makeRoster, makeRule } from './make.ts';

const MINUTE_MS = 60_000;
const DEFAULTS = { followUpMinutes: 15 };
/** Monday, ten minutes before six in Dubai. */
const EVENING = new Date('2026-03-02T13:50:00Z');
const HOURS = { workingHours: { 'mon-fri': '09:00-18:00' } };
const TUE_TO_WED = [{ from: '2026-03-03', to: '2026-03-04' }];
const working = makeRule({ followUp: { clock: 'working' } });

function assign(
  agent: Partial<RosterAgent>,
  rule = working,
  holidays = [] as RosterAgent['absences'],
) {
  const roster = { ...makeRoster([makeAgent({ ...HOURS, ...agent })]), holidays: holidays ?? [] };
  const decision = decide(matchRules(makeFacts(), { rules: [rule] }), roster, EVENING, DEFAULTS);
  if (decision.kind !== 'assigned') throw new Error('Nobody was eligible.');
  return { ...decision, roster };
}

/** From the assignment until the response is due, in hours. */
const hours = (decision: { followUpMs: number }) => decision.followUpMs / (60 * MINUTE_MS);

describe('the response clock of a rule', () => {
  it('runs on through the night unless the rule says otherwise', () => {
    expect(hours(assign({}, makeRule()))).toBe(0.25);
    expect(hours(assign({}, makeRule({ followUp: { clock: 'elapsed' } })))).toBe(0.25);
  });

  it.each<[string, Partial<RosterAgent>, number]>([
    ['ten minutes today and five tomorrow', {}, 15.25],
    ['the hours of the holder’s own zone', { timeZone: 'Europe/London' }, 0.25],
    ['all time for one without hours', { workingHours: {} }, 0.25],
    ['nothing of an absence', { absences: TUE_TO_WED }, 3 * 24 - 8.75],
  ])('counts %s', (_what, agent, expected) => {
    expect(hours(assign(agent))).toBe(expected);
  });

  it('counts nothing of a holiday', () => {
    expect(hours(assign({}, working, [{ from: '2026-03-03', to: '2026-03-03' }]))).toBe(39.25);
  });

  it('does not run where the holder has no working time within a year, and the explanation says so', () => {
    const decision = assign({ workingHours: { mon: '' } });
    expect(decision.followUpMs).toBe(0);
    expect(decision.explanation.rules[0]).toMatchObject({
      why: 'highest credit of 1 eligible; no response clock runs, since the agent has no working time within a year',
    });
    const none = makeRule({ followUp: { clock: 'working', minutes: 0 } });
    expect(assign({}, none).explanation.rules[0]).toMatchObject({
      why: 'highest credit of 1 eligible',
    });
  });

  it('is that of the next holder after a move', () => {
    const next = makeAgent({ id: 'omar', timeZone: 'Europe/London', ...HOURS });
    const roster = makeRoster([makeAgent(HOURS), next]);
    const facts = makeFacts({ excludedAgentIds: ['sara'] });
    const move = reassign(working, facts, roster, EVENING, DEFAULTS);
    expect(move).toMatchObject({ agentId: 'omar', followUpMs: 15 * MINUTE_MS });
  });

  it('is the rule’s for a claim too', () => {
    expect(followUpAfterClaim(working, DEFAULTS)).toMatchObject({ minutes: 15, clock: 'working' });
    expect(followUpAfterClaim(makeRule(), DEFAULTS)).not.toHaveProperty('clock');
  });
});

describe('a decision that was made with a calendar', () => {
  it('comes out the same when it is made again', () => {
    const { roster, agentId, ...decision } = assign({ absences: TUE_TO_WED });
    const { explanation, followUp, ruleName } = decision;
    const facts = makeFacts();
    const [factsHash, rosterHash] = [contentHash(facts), contentHash(roster)];
    const stored = {
      ...({ decidedBy: 'rules', decidedAt: EVENING, status: 'assigned', poolId: null } as const),
      ...{ ruleName, agentId, followUp, explanation, facts, roster, factsHash, rosterHash },
    };
    const rules = [working];
    const ruleset = { rules, contentHash: contentHash(rules) };
    expect(differences(stored, ruleset)).toEqual([]);
    expect(
      differences({ ...stored, followUp: { ...followUp, clock: 'elapsed' } }, ruleset),
    ).toHaveLength(1);
  });
});
