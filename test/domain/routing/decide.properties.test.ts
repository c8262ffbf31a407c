import fc from 'fast-check';
import type { ConditionField, LeadFacts } from '../../../domain/routing/condition.ts';
import { decide } from '../../../domain/routing/decide.ts';
import { type Rule } from '../../../domain/routing/rules.ts';
import { candidatesOf, matchRules } from '../../../domain/routing/match-rules.ts';
import type { Roster, RosterAgent, TeamMember } from '../../../domain/routing/roster.ts';
import { summarise } from '../../../domain/routing/decision.ts';
import { conditionsOn, factsOn, LANGUAGES, PLACE_IDS, someFields } from './generate.ts';
import { DEFAULTS, makeAgent, makeFacts, makeRule } from './make.ts';

const AGENTS = ['a', 'b', 'c', 'd'];
const TEAMS = ['t1', 't2'];
const TYPES = ['Campaign distribution', 'developer', 'Lottery'];
const cap = fc.option(fc.nat({ max: 4 }));

const agent = (id: string): fc.Arbitrary<RosterAgent> =>
  fc
    .record({
      active: fc.boolean(),
      paused: fc.boolean(),
      languages: fc.subarray(LANGUAGES),
      locationIds: fc.subarray(PLACE_IDS),
      workingHours: fc.constantFrom<Record<string, string>>(
        {},
        { 'sun-thu': '09:00-18:00' },
        { x: 'y' },
      ),
      absences: fc.subarray([
        { from: '2026-03-01', to: '2026-03-02' },
        { from: '2026-03-02T13:00Z', to: '2026-03-04' },
      ]),
      timeZone: fc.constantFrom('Asia/Dubai', 'America/New_York', 'No/Where'),
      dailyCap: cap,
      openCap: cap,
      assignedToday: fc.nat({ max: 4 }),
      openLeads: fc.nat({ max: 4 }),
      lastAssignedAt: fc.option(fc.constantFrom('2026-03-01T00:00:00Z', 'never')),
    })
    .map((overrides) => makeAgent({ id, ...overrides }));

const member = (agentId: string): fc.Arbitrary<TeamMember> =>
  fc.record({
    agentId: fc.constant(agentId),
    weight: fc.integer({ min: 1, max: 4 }),
    credit: fc.option(fc.integer({ min: -9, max: 9 })),
  });

/** One member, `z`, is in a team but not on the roster. */
const members = fc.shuffledSubarray([...AGENTS, 'z']).chain((ids) => fc.tuple(...ids.map(member)));

const roster: fc.Arbitrary<Roster> = fc.record({
  agents: fc.tuple(...AGENTS.map(agent)),
  teams: fc.tuple(...TEAMS.map((id) => members.map((each) => ({ id, members: each })))),
  holidays: fc.subarray([{ from: '2026-03-02', to: '2026-03-02' }]),
});

const target = fc.oneof(
  fc.constantFrom(...TEAMS, 'gone').map((teamId) => ({ kind: 'team', teamId })),
  fc.constantFrom(...AGENTS, 'gone').map((agentId) => ({ kind: 'agent', agentId })),
  fc.constant({ kind: 'pool', poolId: 'pool' }),
);

const gate = fc.constantFrom('require', 'prefer', 'off');

const rulesOn = (fields: readonly ConditionField[]): fc.Arbitrary<Rule[]> =>
  fc
    .array(
      fc.record({
        order: fc.integer({ min: 0, max: 3 }),
        enabled: fc.boolean(),
        claims: fc.subarray(TYPES.slice(0, 2)),
        when: fc.array(fc.array(conditionsOn(fields), { maxLength: 2 }), { maxLength: 2 }),
        target,
        strategy: fc.constantFrom('weighted_round_robin', 'least_loaded'),
        gates: fc.record({
          language: gate,
          location: gate,
          contactOwner: gate,
          availability: fc.constantFrom('working_hours', 'ignore'),
          caps: fc.boolean(),
        }),
        onExhausted: fc.constantFrom(
          { kind: 'next' },
          { kind: 'unassigned' },
          { kind: 'pool', poolId: 'pool' },
        ),
      }),
      { maxLength: 5 },
    )
    .map((all) => all.map((rule, number) => makeRule({ ...rule, name: `rule ${number}` })));

/** Languages and places vary in all of them: agents have some. */
const leadsOn = (fields: readonly ConditionField[]): fc.Arbitrary<LeadFacts> =>
  fc
    .tuple(
      factsOn([...new Set<ConditionField>([...fields, 'language', 'location'])]),
      fc.option(fc.constantFrom(...TYPES)),
      fc.subarray(AGENTS),
      fc.option(fc.constantFrom(...AGENTS, 'gone'), { nil: undefined }),
    )
    .map(([facts, distributionType, excludedAgentIds, contactOwnerId]) =>
      makeFacts({ ...facts, distributionType, excludedAgentIds, contactOwnerId }),
    );

const now = fc.date({
  min: new Date('2000-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const inputs = someFields.chain((fields) =>
  fc.record({ facts: leadsOn(fields), rules: rulesOn(fields), roster, now }),
);
type Inputs = typeof inputs extends fc.Arbitrary<infer T> ? T : never;

function decideIn(each: Inputs) {
  return decide(matchRules(each.facts, { rules: each.rules }), each.roster, each.now, DEFAULTS);
}

/** Whatever is decided. */
const always = (holds: (each: Inputs) => void) => fc.assert(fc.property(inputs, holds));

/** Whenever a lead is assigned: with the agent and the rule that were chosen. */
function wheneverAssigned(
  holds: (agentId: string, chosen: { agent: RosterAgent; rule: Rule }, each: Inputs) => void,
): void {
  always((each) => {
    const decision = decideIn(each);
    if (decision.kind !== 'assigned') return;
    const agent = each.roster.agents.find(({ id }) => id === decision.agentId);
    const rule = each.rules.find(({ name }) => name === decision.ruleName);
    if (!agent || !rule) throw new Error(`${decision.agentId} or ${decision.ruleName} is unknown.`);
    holds(decision.agentId, { agent, rule }, each);
  });
}

describe('every decision', () => {
  it('has an outcome, and the same one each time', () => {
    always((each) => {
      const copy = structuredClone(each);
      const decision = decideIn(each);
      expect(['assigned', 'pool', 'unassigned']).toContain(decision.kind);
      expect(decideIn(copy)).toEqual(decision);
      expect(each).toEqual(copy);
    });
  });

  it('does not depend on the order in which rules and agents are stored', () => {
    always((each) => {
      const agents = each.roster.agents.toReversed();
      const turned = {
        ...each,
        rules: each.rules.toReversed(),
        roster: { ...each.roster, agents },
      };
      expect(decideIn(turned)).toEqual(decideIn(each));
    });
  });

  it('never goes to an agent who is inactive, paused, or held the lead earlier in the round', () => {
    wheneverAssigned((agentId, { agent }, { facts }) => {
      expect(agent).toMatchObject({ active: true, paused: false });
      expect(facts.excludedAgentIds).not.toContain(agentId);
    });
  });

  it('goes to the contact’s agent where a rule prefers them and can choose them', () => {
    wheneverAssigned((agentId, { rule: { gates, target } }, each) => {
      const { contactOwnerId } = each.facts;
      if (gates.contactOwner === 'require') expect(agentId).toBe(contactOwnerId);
      if (gates.contactOwner !== 'prefer' || agentId === contactOwnerId) return;
      const withoutOthers = { gates: { ...gates, contactOwner: 'require' }, target };
      expect(decideIn({ ...each, rules: [makeRule(withoutOthers)] }).kind).toBe('unassigned');
    });
  });

  it('never goes over a cap that the rule observes', () => {
    wheneverAssigned((_, { agent, rule }) => {
      if (!rule.gates.caps) return;
      expect(agent.assignedToday).toBeLessThan(agent.dailyCap ?? Infinity);
      expect(agent.openLeads).toBeLessThan(agent.openCap ?? Infinity);
    });
  });

  it('touches only what was named beforehand, so that those rows can be locked', () => {
    always((each) => {
      const { teamIds, agentIds } = candidatesOf(matchRules(each.facts, { rules: each.rules }));
      const inTeams = each.roster.teams
        .filter(({ id }) => teamIds.includes(id))
        .flatMap(({ members: all }) => all.map(({ agentId }) => agentId));
      const decision = decideIn(each);
      if (decision.kind !== 'assigned') return;
      expect([...inTeams, ...agentIds]).toContain(decision.agentId);
      for (const { teamId } of decision.rotation) expect(teamIds).toContain(teamId);
    });
  });

  it('comes out the same from only the teams and agents that were named beforehand', () => {
    always((each) => {
      const { teamIds } = candidatesOf(matchRules(each.facts, { rules: each.rules }));
      const teams = each.roster.teams.filter(({ id }) => teamIds.includes(id));
      expect(decideIn({ ...each, roster: { ...each.roster, teams } })).toEqual(decideIn(each));
    });
  });

  it('comes out the same without the counts that no cap and no rule asks for', () => {
    always((each) => {
      const { byLoad } = candidatesOf(matchRules(each.facts, { rules: each.rules }));
      const agents = each.roster.agents.map((known) => ({
        ...known,
        assignedToday: byLoad || known.dailyCap !== null ? known.assignedToday : null,
        openLeads: byLoad || known.openCap !== null ? known.openLeads : null,
        lastAssignedAt: byLoad ? known.lastAssignedAt : null,
      }));
      expect(decideIn({ ...each, roster: { ...each.roster, agents } })).toEqual(decideIn(each));
    });
  });

  it('has an explanation that survives JSON and names every enabled rule once', () => {
    always((each) => {
      const { explanation } = decideIn(each);
      expect(JSON.parse(JSON.stringify(explanation))).toStrictEqual(explanation);
      const enabled = each.rules.filter((rule) => rule.enabled).map(({ name }) => name);
      expect(explanation.rules.map(({ name }) => name).toSorted()).toEqual(enabled.toSorted());
      expect(summarise(explanation, (id) => id).length).toBeGreaterThan(0);
    });
  });
});
