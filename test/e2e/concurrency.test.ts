import { leadEventTypes } from '../../domain/webhooks/event-payloads.ts';
import { createRulesetStore } from '../../store/routing/rulesets.ts';
import { expectSameAgain } from '../support/routing.ts';
import { creditsOf, expectPaths, leadRecords, mostInADay, waitUntilIdle } from './assertions.ts';
import { expectAllRead, startEventReader } from './event-reader.ts';
import { planOf } from './plan.ts';
import { DAILY_CAP, makeRoster } from './roster.ts';
import { unlinkedCredits, turnsOf } from './rotation.ts';
import type { LeadRecord } from './transitions.ts';
import { runWorkload } from './workload.ts';
import { startTestService } from './test-service.ts';

const SEED = 3;
const ACTIONS = 300;
const WIDTH = 16;

const service = await startTestService();
afterAll(() => service.stop());
const { api } = service;
const roster = await makeRoster(service);
const before = await creditsOf(api.database, roster.teamId);
const reader = startEventReader(async (path) => (await api.call('GET', path)).body);
const ledger = await runWorkload(service, roster, planOf(SEED, ACTIONS), WIDTH);
await waitUntilIdle(api.database);
const read = await reader.finish();
const leads = await leadRecords(api.database);

const byRotation = () => [...leads.values()].flatMap(({ history }) => history).filter(isOfTeam);
const isOfTeam = ({ agentId, decidedBy }: LeadRecord['history'][number]) =>
  ['rules', 'follow_up'].includes(decidedBy) && agentId !== null && agentId in before;

describe(`after concurrent creates, updates, claims and responses (plan ${SEED})`, () => {
  test('the plan reached every kind of transition', () => {
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
    expect(ledger.merged).toBeGreaterThan(0);
    expect(ledger.rerouted.size).toBeGreaterThan(0);
    expect(ledger.updatesOfHeld).toBeGreaterThan(0);
    expect(ledger.answered.size).toBeGreaterThan(0);
  });

  test('each acknowledged create has its lead, and there is no other lead', () => {
    expect([...leads.keys()].sort()).toEqual([...ledger.created].sort());
  });

  test('every history is a path of the transition table, with one outcome per move and one event per outcome', () => {
    expectPaths(leads);
  });

  test('a reader by cursor, beside the workload, has every event once, those of a lead in their order', async () => {
    expect(new Set(read.map(({ type }) => type))).toEqual(new Set(leadEventTypes));
    await expectAllRead(api.database, read);
  });

  test('a round began for each update whose response said rerouted, and for no other', () => {
    const begun = [...leads].map(([id, { round }]) => [id, round - 1]);
    expect(begun).toEqual([...leads.keys()].map((id) => [id, ledger.rerouted.get(id) ?? 0]));
  });

  test('no update took a lead that was held', () => {
    expect(ledger.reroutedThoughHeld).toBe(0);
  });

  test('nothing moved a lead whose holder had responded', () => {
    const counts = [...ledger.answered.keys()].map((id) => [id, leads.get(id)?.history.length]);
    expect(counts).toEqual([...ledger.answered]);
  });

  test('each claim that succeeded is in the history, and no other claim', () => {
    const taken = [...leads].flatMap(([leadId, { history }]) =>
      history
        .filter(({ decidedBy }) => decidedBy === 'claim')
        .map(({ agentId }) => ({ leadId, agentId })),
    );
    const sorted = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).sort();
    expect(sorted(taken)).toEqual(sorted(ledger.claimed));
  });

  test('every decision comes out the same again, and the rotation took one step for each assignment that it made, each from where the last one ended', async () => {
    const decisions = await expectSameAgain(api.database);
    const ruleset = await createRulesetStore().byVersion(api.database, roster.rulesetVersion);
    const after = await creditsOf(api.database, roster.teamId);
    expect(turnsOf(roster.teamId, decisions, ruleset)).toBe(byRotation().length);
    expect(unlinkedCredits(roster.teamId, decisions, ruleset, [before, after])).toEqual([]);
  });

  test('no agent was assigned more leads than the daily cap', async () => {
    const capped = roster.capped.map(({ id }) => id);
    expect(await mostInADay(api.database, capped)).toBe(DAILY_CAP);
  });
});
