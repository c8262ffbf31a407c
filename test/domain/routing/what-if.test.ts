import { describe, expect, it } from '@jest/globals';
import { compareOutcomes, distributionOf } from '../../../domain/routing/compare-outcomes.ts';
import { destinationOf, type Destination } from '../../../domain/routing/decision.ts';
import type { LeadFacts } from '../../../domain/routing/lead-facts.ts';
import type { Roster } from '../../../domain/routing/roster.ts';
import type { Rule } from '../../../domain/routing/rule-schema.ts';
import { replayLead, type PastLead, type Progress } from '../../../domain/routing/what-if.ts';
import { DEFAULTS, makeAgent, makeFacts, makeRoster, makeRule } from './make.ts';

const DAY_MS = 24 * 60 * 60_000;
const START_MS = Date.parse('2026-03-02T08:00:00Z');
const at = (day: number) => new Date(START_MS + day * DAY_MS).toISOString();

function pastLead(
  number: number,
  overrides: Partial<PastLead> = {},
  facts: Partial<LeadFacts> = {},
): PastLead {
  return {
    leadId: `lead-${number}`,
    facts: makeFacts(facts),
    decidedAt: at(0),
    closedAt: null,
    ...overrides,
  };
}

/** All of them, one after the other. */
function replayed(past: readonly PastLead[], roster: Roster, rules: Rule[] = [makeRule()]) {
  let progress: Progress = { roster, open: [], previous: null };
  return past.map((lead) => {
    const step = replayLead(progress, lead, { rules }, DEFAULTS);
    progress = step.progress;
    return { place: destinationOf(step.decision) };
  });
}

function placesOf(past: PastLead[], roster: Roster, rules: Rule[] = [makeRule()]): string {
  return replayed(past, roster, rules)
    .map(({ place }) => (place.kind === 'agent' ? place.agentId : place.kind))
    .join(' ');
}

describe('replaying past leads through a ruleset', () => {
  const leads = [1, 2, 3, 4, 5, 6].map((number) => pastLead(number));

  it('moves the rotation on from lead to lead', () => {
    const roster = makeRoster([makeAgent({ id: 'sara' }), makeAgent({ id: 'omar' })], {
      sara: { weight: 2 },
    });
    expect(placesOf(leads, roster)).toBe('sara omar sara sara omar sara');
    expect(distributionOf(replayed(leads, roster))).toEqual([
      { agentId: 'sara', leads: 4, share: 4 / 6 },
      { agentId: 'omar', leads: 2, share: 2 / 6 },
    ]);
  });

  it('moves the loads on from lead to lead', () => {
    const roster = makeRoster([makeAgent({ id: 'sara', openLeads: 2 }), makeAgent({ id: 'omar' })]);
    const rules = [makeRule({ strategy: 'least_loaded' })];
    expect(placesOf(leads.slice(0, 4), roster, rules)).toBe('omar omar sara omar');
  });

  it('fills the daily cap, and starts it again with the agent’s next day', () => {
    const roster = makeRoster([makeAgent({ dailyCap: 1 })]);
    const past = [0, 0, 1, 1].map((day, number) => pastLead(number, { decidedAt: at(day) }));
    expect(placesOf(past, roster)).toBe('sara nobody sara nobody');
  });

  it('fills the open-lead cap until a lead closes', () => {
    const roster = makeRoster([makeAgent({ openCap: 1 })]);
    const past = [
      pastLead(1, { closedAt: at(2) }),
      pastLead(2, { decidedAt: at(1) }),
      pastLead(3, { decidedAt: at(2) }),
      pastLead(4, { decidedAt: at(9) }),
    ];
    expect(placesOf(past, roster)).toBe('sara nobody sara nobody');
  });

  describe('where the people are known as they were at each moment', () => {
    const known = makeRoster([makeAgent({ id: 'sara' }), makeAgent({ id: 'omar' })]);
    const past = leads.slice(0, 4).map((lead) => ({ ...lead, known }));

    it('goes on with its own rotation', () => {
      expect(placesOf(past, known)).toBe('sara omar sara omar');
    });

    it('goes on with its own loads', () => {
      const rules = [makeRule({ strategy: 'least_loaded' })];
      expect(placesOf(past, known, rules)).toBe('sara omar sara omar');
    });

    it('takes in who came later', () => {
      const alone = makeRoster([makeAgent({ id: 'sara' })]);
      const later = makeRoster([makeAgent({ id: 'sara' }), makeAgent({ id: 'omar' })]);
      const rules = [makeRule({ strategy: 'least_loaded' })];
      const firstTwo = [pastLead(1, { known: alone }), pastLead(2, { known: later })];
      expect(placesOf(firstTwo, alone, rules)).toBe('sara omar');
    });
  });

  it('leaves the roster it was given as it was', () => {
    const roster = makeRoster([makeAgent()]);
    const copy = structuredClone(roster);
    replayed(leads, roster);
    expect(roster).toEqual(copy);
  });
});

describe('comparing two rulesets', () => {
  const sara: Destination = { kind: 'agent', agentId: 'sara' };
  const omar: Destination = { kind: 'agent', agentId: 'omar' };
  const pool: Destination = { kind: 'pool', poolId: 'weekend' };
  const nobody: Destination = { kind: 'nobody' };
  const outcomes = (...places: Destination[]) =>
    places.map((place, number) => ({ leadId: `lead-${number}`, place }));

  it('counts who goes elsewhere, who finds nobody, and the shares before and after', () => {
    const before = outcomes(sara, sara, sara, omar, pool, nobody);
    const after = outcomes(sara, omar, omar, nobody, pool, nobody);
    expect(compareOutcomes(before, after)).toEqual({
      total: 6,
      elsewhere: 3,
      nobody: { before: 1, after: 2 },
      moves: [
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

  it('compares only leads that both sides know', () => {
    expect(compareOutcomes(outcomes(sara, omar), outcomes(sara))).toMatchObject({
      total: 1,
      elsewhere: 0,
    });
  });
});
