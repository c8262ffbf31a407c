import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { differences } from '../../domain/routing/recompute.ts';
import { createStoredRulesets, readDecisionsSince } from '../../store/routing/stored-decisions.ts';
import type { DecisionEntry } from '../../store/routing/stored-decisions.ts';
import { calm, creditsOf, leadRecords, mostInADay } from './assertions.ts';
import { planOf } from './plan.ts';
import { DAILY_CAP, makeRoster } from './roster.ts';
import type { StormRoster } from './roster.ts';
import { looseEnds, turnsOf } from './rotation.ts';
import { faultsOf } from './transitions.ts';
import type { LeadRecord } from './transitions.ts';
import { storm } from './workload.ts';
import type { Books } from './workload.ts';
import { openWorld } from './agency.ts';
import type { World } from './agency.ts';

const SEED = 3;
const ACTIONS = 400;
const WIDTH = 16;

let world: World;
let roster: StormRoster;
let before: Awaited<ReturnType<typeof creditsOf>>;
let books: Books;
let leads: Map<string, LeadRecord>;
let decisions: DecisionEntry[];

beforeAll(async () => {
  world = await openWorld();
  roster = await makeRoster(world);
  before = await creditsOf(world.api.database, roster.teamId);
  books = await storm(world, roster, planOf(SEED, ACTIONS), WIDTH);
  await calm(world.api.database);
  leads = await leadRecords(world.api.database);
  decisions = await allOf(readDecisionsSince(world.api.database, new Date(0)));
});
afterAll(() => world?.stop());

async function allOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of list) all.push(each);
  return all;
}

const byRotation = () => [...leads.values()].flatMap(({ history }) => history).filter(isOfTeam);
const isOfTeam = ({ agentId, decidedBy }: LeadRecord['history'][number]) =>
  ['rules', 'follow_up'].includes(decidedBy) && agentId !== null && agentId in before;

describe(`after a storm of creates, updates, claims and responses at once (plan ${SEED})`, () => {
  test('there was weather: every kind of thing happened', () => {
    const happened = [...leads.values()].flatMap(({ history }) =>
      history.map(({ decidedBy, status }) => `${decidedBy} ${status}`),
    );
    expect(new Set(happened)).toEqual(
      new Set([
        'rules assigned',
        'rules pool',
        'rules unassigned',
        'assigned_by assigned',
        'claim assigned',
        'follow_up assigned',
        'follow_up pool',
      ]),
    );
    expect(books.merged).toBeGreaterThan(0);
    expect(books.rerouted.size).toBeGreaterThan(0);
    expect(books.updatesOfHeld).toBeGreaterThan(0);
    expect(books.answered.size).toBeGreaterThan(0);
  });

  test('there is a lead for each that was acknowledged, and no other', () => {
    expect([...leads.keys()].sort()).toEqual([...books.created].sort());
  });

  test('every history is a path of the transition table, with one outcome per move and one event per assignment', () => {
    const faulty = [...leads].map(([id, lead]) => ({ id, faults: faultsOf(lead) }));
    expect(faulty.filter(({ faults }) => faults.length > 0)).toEqual([]);
  });

  test('a round began for each update that was told so, and for no other', () => {
    const begun = [...leads].map(([id, { round }]) => [id, round - 1]);
    expect(begun).toEqual([...leads.keys()].map((id) => [id, books.rerouted.get(id) ?? 0]));
  });

  test('no update took a lead that was held', () => {
    expect(books.reroutedThoughHeld).toBe(0);
  });

  test('nothing moved a lead whose holder had responded', () => {
    const counts = [...books.answered.keys()].map((id) => [id, leads.get(id)?.history.length]);
    expect(counts).toEqual([...books.answered]);
  });

  test('who was told that they have the lead took it, and nobody else did', () => {
    const taken = [...leads].flatMap(([leadId, { history }]) =>
      history
        .filter(({ decidedBy }) => decidedBy === 'claim')
        .map(({ agentId }) => ({ leadId, agentId })),
    );
    const sorted = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).sort();
    expect(sorted(taken)).toEqual(sorted(books.claimed));
  });

  test('the rotation took one step for each assignment that it made, each from where the last one ended', async () => {
    const ruleset = await createStoredRulesets(world.api.database)(roster.rulesetVersion);
    const after = await creditsOf(world.api.database, roster.teamId);
    expect(turnsOf(roster.teamId, decisions, ruleset)).toBe(byRotation().length);
    expect(looseEnds(roster.teamId, decisions, ruleset, [before, after])).toEqual([]);
  });

  test('nobody was given more than the cap allows', async () => {
    const most = await mostInADay(
      world.api.database,
      roster.capped.map(({ id }) => id),
    );
    expect(most).toBe(DAILY_CAP);
  });

  test('every decision comes out the same when it is made again', async () => {
    const rulesetOf = createStoredRulesets(world.api.database);
    expect(decisions.length).toBeGreaterThan(0);
    for (const each of decisions)
      expect(differences(each, await rulesetOf(each.rulesetVersion))).toEqual([]);
  });
});
