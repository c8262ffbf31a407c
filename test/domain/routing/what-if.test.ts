import {
  compareOutcomes,
  createRoutingSimulation,
  distributionOf,
  type PastLead,
} from '../../../domain/routing/what-if.ts';
import { destinationOf, type Destination } from '../../../domain/routing/decision.ts';
import type { Roster } from '../../../domain/routing/roster.ts';
import type { Rule } from '../../../domain/routing/rules.ts';
import { DEFAULTS, makeAgent, makeFacts, makeRoster, makeRule } from './make.ts';

const DAY_MS = 24 * 60 * 60_000;
const START_MS = Date.parse('2026-03-02T08:00:00Z');
const at = (day: number) => new Date(START_MS + day * DAY_MS);

const pastLead = (overrides: Partial<PastLead> = {}): PastLead => ({
  facts: makeFacts(),
  decidedAt: at(0),
  closedAt: null,
  ...overrides,
});

/** All of them, one after the other. */
function simulated(past: readonly PastLead[], roster: Roster, rules: Rule[] = [makeRule()]) {
  const simulation = createRoutingSimulation(roster, [], at(0), DEFAULTS);
  return past.map((lead) => destinationOf(simulation.route(lead, { rules }), lead.decidedAt));
}

function placesOf(past: PastLead[], roster: Roster, rules: Rule[] = [makeRule()]): string {
  return simulated(past, roster, rules)
    .map((place) => (place.kind === 'agent' ? place.agentId : place.kind))
    .join(' ');
}

describe('simulating past leads through a ruleset', () => {
  const leads = [1, 2, 3, 4, 5, 6].map(() => pastLead());

  it('moves the rotation on from lead to lead, in a copy of the roster', () => {
    const roster = makeRoster([makeAgent({ id: 'sara' }), makeAgent({ id: 'omar' })], {
      sara: { weight: 2 },
    });
    const copy = structuredClone(roster);
    expect(placesOf(leads, roster)).toBe('sara omar sara sara omar sara');
    expect(roster).toEqual(copy);
    expect(distributionOf(simulated(leads, roster))).toEqual([
      { agentId: 'sara', leads: 4, share: 4 / 6 },
      { agentId: 'omar', leads: 2, share: 2 / 6 },
    ]);
  });

  it('leaves absent agents out and keeps holidays, as they were known of each lead', () => {
    const absences = [{ from: '2026-03-03', to: '2026-03-04' }];
    const holidays = [{ from: '2026-03-05', to: '2026-03-05' }];
    const agents = [makeAgent({ id: 'sara', absences }), makeAgent({ id: 'omar' })];
    const roster = { ...makeRoster(agents), holidays };
    const past = [0, 1, 2, 3, 4].map((day) => pastLead({ decidedAt: at(day) }));
    const rules = [makeRule({ gates: { availability: 'working_hours' } })];
    expect(placesOf(past, roster, rules)).toBe('sara omar omar nobody omar');
    const known = past.map((lead) => ({ ...lead, roster: makeRoster(agents.slice(1)) }));
    expect(placesOf(known, roster, rules)).toBe('omar omar omar omar omar');
  });

  it('moves the loads on from lead to lead', () => {
    const roster = makeRoster([makeAgent({ id: 'sara', openLeads: 2 }), makeAgent({ id: 'omar' })]);
    const rules = [makeRule({ strategy: 'least_loaded' })];
    expect(placesOf(leads.slice(0, 4), roster, rules)).toBe('omar omar sara omar');
  });

  it('fills the daily cap, and starts it again with the agent’s next day', () => {
    const roster = makeRoster([makeAgent({ dailyCap: 1 })]);
    const past = [0, 0, 1, 1].map((day) => pastLead({ decidedAt: at(day) }));
    expect(placesOf(past, roster)).toBe('sara nobody sara nobody');
  });

  it('counts a lead that comes back on the same day once, and one that was taken back not at all', () => {
    const roster = makeRoster([makeAgent({ dailyCap: 3 })]);
    const simulation = createRoutingSimulation(roster, [], at(0), DEFAULTS);
    const given = { agentId: 'sara', at: at(0), closedAt: at(0), turns: [] };
    for (const leadId of ['one', 'one', 'two']) simulation.give({ ...given, leadId });
    simulation.give({ ...given, leadId: 'three', isCounted: false });
    const route = (leadId: string, day = 0) =>
      simulation.route(pastLead({ leadId, decidedAt: at(day) }), { rules: [makeRule()] }).kind;
    const places = [route('two'), route('three'), route('four'), route('one', 1)];
    expect(places).toEqual(['assigned', 'assigned', 'unassigned', 'assigned']);
  });

  it('fills the open-lead cap until a lead closes', () => {
    const roster = makeRoster([makeAgent({ openCap: 1 })]);
    const past = [
      pastLead({ closedAt: at(2) }),
      pastLead({ decidedAt: at(1) }),
      pastLead({ decidedAt: at(2) }),
      pastLead({ decidedAt: at(9) }),
    ];
    expect(placesOf(past, roster)).toBe('sara nobody sara nobody');
  });

  describe('where the people are known as they were at each moment', () => {
    const known = makeRoster([makeAgent({ id: 'sara' }), makeAgent({ id: 'omar' })]);
    const past = leads.slice(0, 4).map((lead) => ({ ...lead, roster: known }));

    it('goes on with its own rotation', () => {
      expect(placesOf(past, known)).toBe('sara omar sara omar');
    });

    const rules = [makeRule({ strategy: 'least_loaded' })];

    it('goes on with its own loads', () => {
      expect(placesOf(past, known, rules)).toBe('sara omar sara omar');
    });

    it('takes in who came later', () => {
      const alone = makeRoster([makeAgent()]);
      const firstTwo = [pastLead({ roster: alone }), pastLead({ roster: known })];
      expect(placesOf(firstTwo, alone, rules)).toBe('sara omar');
    });
  });
});

describe('comparing two rulesets', () => {
  const sara: Destination = { kind: 'agent', agentId: 'sara' };
  const omar: Destination = { kind: 'agent', agentId: 'omar' };
  const pool: Destination = { kind: 'pool', poolId: 'weekend' };
  const nobody: Destination = { kind: 'nobody' };

  it('counts who goes elsewhere, who waits, who finds nobody, and the shares', () => {
    const before = [sara, sara, sara, omar, pool, nobody, pool, pool, pool];
    const waits = [30, 600, 45].map((minutes): Destination => ({ kind: 'waiting', minutes }));
    const after = [sara, omar, omar, nobody, pool, nobody, ...waits];
    const leads = before.map((from, at) => ({ from, to: after[at] ?? nobody }));
    expect(compareOutcomes(leads)).toEqual({
      total: 9,
      elsewhere: 6,
      nobody: { before: 1, after: 2 },
      waits: {
        before: { leads: 0, medianMinutes: 0, longestMinutes: 0 },
        after: { leads: 3, medianMinutes: 45, longestMinutes: 600 },
      },
      moves: [
        { from: pool, to: { kind: 'waiting', minutes: 30 }, leads: 3 },
        { from: sara, to: omar, leads: 2 },
        { from: omar, to: nobody, leads: 1 },
      ],
      sharesBefore: [
        { agentId: 'sara', leads: 3, share: 0.75 },
        { agentId: 'omar', leads: 1, share: 0.25 },
      ],
      sharesAfter: [
        { agentId: 'omar', leads: 2, share: 2 / 3 },
        { agentId: 'sara', leads: 1, share: 1 / 3 },
      ],
    });
  });
});
