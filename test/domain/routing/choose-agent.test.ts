import fc from 'fast-check';
import { withCredits, type RosterAgent, type Team } from '../../../domain/routing/roster.ts';
import { takeTurn, leastLoaded } from '../../../domain/routing/choose-agent.ts';
import { makeAgent, NOON_IN_DUBAI } from './make.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const weights = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 5 });

function teamOf(memberWeights: readonly number[]): Team {
  const members = memberWeights.map((weight, i) => ({
    agentId: NAMES[i] ?? '',
    weight,
    credit: null,
  }));
  return { id: 'team', members };
}

interface Settings {
  /** Who is paused at a turn. */
  away?: (turn: number) => string[];
  eligible?: (turn: number) => string[];
}

function run(
  team: Team,
  turns: number,
  { away = () => [], eligible = () => NAMES }: Settings = {},
) {
  const picks: (string | null)[] = [];
  let current = team;
  for (let turn = 0; turn < turns; turn += 1) {
    const paused = away(turn);
    const agents = agentsOf((id) => ({ paused: paused.includes(id) }));
    const ids = new Set(eligible(turn).filter((id) => !paused.includes(id)));
    const taken = takeTurn(current, ids, { agents, now: NOON_IN_DUBAI });
    picks.push(taken?.chosen ?? null);
    current = withCredits(current, taken?.changes ?? []);
  }
  return { picks, team: current };
}

const agentsOf = (over: (id: string) => Partial<RosterAgent> = () => ({})) =>
  new Map(NAMES.map((id) => [id, makeAgent({ id, ...over(id) })]));
const others = (present: readonly string[]) => NAMES.filter((id) => !present.includes(id));

const cycleOf = (team: Team) => team.members.reduce((sum, { weight }) => sum + weight, 0);
const count = (picks: readonly unknown[], id: string) => picks.filter((pick) => pick === id).length;
const creditsOf = (team: Team) => team.members.map(({ credit }) => credit);

describe('weighted round robin', () => {
  it('is smooth: a heavy member does not take their leads in one run', () => {
    expect(run(teamOf([5, 1, 1]), 7).picks.join('')).toBe('aabacaa');
  });

  it('gives equal members turns in the order of the team', () => {
    expect(run(teamOf([1, 1, 1]), 6).picks.join('')).toBe('abcabc');
  });

  it('shares exactly by weight over every window of a whole cycle', () => {
    fc.assert(
      fc.property(weights, fc.nat({ max: 40 }), (memberWeights, start) => {
        const team = teamOf(memberWeights);
        const cycle = cycleOf(team);
        const window = run(team, start + cycle).picks.slice(start);
        for (const { agentId, weight } of team.members) expect(count(window, agentId)).toBe(weight);
      }),
    );
  });

  it('shares exactly among those who are there when some are away', () => {
    fc.assert(
      fc.property(weights, (memberWeights) => {
        const team = teamOf([9, ...memberWeights.slice(0, 4)]);
        const { picks } = run(team, cycleOf(team) - 9, { away: () => ['a'] });
        for (const { agentId, weight } of team.members)
          expect(count(picks, agentId)).toBe(agentId === 'a' ? 0 : weight);
      }),
    );
  });

  it('costs nothing to take a lead that nobody else could take', () => {
    const { team } = run(teamOf([1, 1]), 1);
    expect(creditsOf(run(team, 5, { eligible: () => ['a'] }).team)).toEqual(creditsOf(team));
  });

  it('keeps the credit of a member who is paused or absent', () => {
    const { team } = run(teamOf([1, 2, 3]), 4);
    expect(creditsOf(run(team, 1, { away: () => ['b'] }).team)[1]).toBe(creditsOf(team)[1]);
    const absences = [{ from: '2026-03-02', to: '2026-03-02' }];
    const agents = agentsOf((id) => (id === 'b' ? { absences } : {}));
    const turn = takeTurn(team, new Set(['a', 'c']), { agents, now: NOON_IN_DUBAI });
    expect(turn?.changes.map(({ agentId }) => agentId)).toEqual(['a', 'c']);
  });

  it('gives each, over any hundred turns, their share of those for which they were eligible, within a cycle', () => {
    const turn = fc.record({
      present: fc.subarray(NAMES, { minLength: 1 }),
      able: fc.subarray(NAMES, { minLength: 1 }),
    });
    // Each stretch of turns alike stands for the hours of a shift.
    const stretches = fc.array(fc.record({ turn, times: fc.integer({ min: 1, max: 40 }) }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(weights, stretches, (memberWeights, given) => {
        const turns = given.flatMap(({ turn: each, times }) =>
          Array.from({ length: times }, () => each),
        );
        let team = teamOf(memberWeights);
        const owed = turns.map(({ present, able }) => {
          const settings = { away: () => others(present), eligible: () => able };
          const { picks, team: next } = run(team, 1, settings);
          team = next;
          const isEligible = (id: string) => present.includes(id) && able.includes(id);
          const eligible = team.members.filter(({ agentId }) => isEligible(agentId));
          const all = eligible.reduce((sum, { weight }) => sum + weight, 0);
          return new Map(
            eligible.map(({ agentId, weight }) => [
              agentId,
              weight / all - (picks[0] === agentId ? 1 : 0),
            ]),
          );
        });
        for (const { agentId } of team.members) {
          const ofMember = owed.map((each) => each.get(agentId) ?? 0);
          for (let start = 0; start + 100 <= ofMember.length; start += 7) {
            const left = ofMember.slice(start, start + 100).reduce((sum, each) => sum + each, 0);
            expect(Math.abs(left)).toBeLessThanOrEqual(cycleOf(team));
          }
        }
      }),
    );
  });

  it('counts among the others those who cannot take this very lead', () => {
    const members = [
      { agentId: 'a', weight: 1, credit: -4 },
      { agentId: 'b', weight: 1, credit: 4 },
      { agentId: 'c', weight: 2, credit: null },
    ];
    const turn = takeTurn({ id: 'team', members }, new Set(['b', 'c']), {
      agents: agentsOf(),
      now: NOON_IN_DUBAI,
    });
    expect(turn?.chosen).toBe('b');
    expect(turn?.arithmetic.map(({ creditBefore }) => creditBefore)).toEqual([4, 0]);
  });

  it('takes no turn when nobody is eligible', () => {
    expect(run(teamOf([1, 1]), 1, { eligible: () => [] }).picks).toEqual([null]);
  });
});

const EARLY = { lastAssignedAt: '2026-03-01T08:00:00Z' };
const LATE = { lastAssignedAt: '2026-03-02T08:00:00Z' };

describe('least loaded', () => {
  it.each<
    [sentence: string, first: Partial<RosterAgent>, second: Partial<RosterAgent>, chosen: string]
  >([
    ['an agent with nothing counts too', { openLeads: 1 }, {}, 'second'],
    ['fewest open leads', { openLeads: 3 }, { openLeads: 2, assignedToday: 9 }, 'second'],
    ['then fewest of today', { assignedToday: 2 }, { assignedToday: 1, ...LATE }, 'second'],
    ['then the longest since the last one', LATE, EARLY, 'second'],
    ['one who never had a lead has waited longest', EARLY, {}, 'second'],
    [
      'instants are compared, not texts',
      { lastAssignedAt: '2026-03-01T10:00:00+04:00' },
      { lastAssignedAt: '2026-03-01T07:00:00Z' },
      'first',
    ],
    ['then the order of the team', {}, {}, 'first'],
  ])('%s', (_sentence, first, second, chosen) => {
    const agents = [makeAgent({ ...first, id: 'first' }), makeAgent({ ...second, id: 'second' })];
    expect(leastLoaded(agents)?.chosen).toBe(chosen);
  });

  it('is nobody among nobody', () => {
    expect(leastLoaded([])).toBeNull();
  });
});
