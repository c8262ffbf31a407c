import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { DncrActivities } from '../../activities/dncr/dncr-activities.ts';
import type { LeadActivities } from '../../activities/leads/lead-activities.ts';
import type { HousekeepingActivities } from '../../activities/maintenance/housekeeping.ts';
import type { WebhookActivities } from '../../activities/webhooks/webhook-activities.ts';
import { startReceiver } from '../../dev/receiver/server.ts';
import { startRegistry } from '../../dev/registry.ts';
import { insertHandOver } from '../../store/assignment/hand-overs.ts';
import { workersOf } from '../../worker/workers.ts';
import { registryVariables } from '../api/dncr/service.ts';
import { startIntake } from '../support/api.ts';
import { handOverRequest } from '../support/hand-over.ts';
import { activateRules, makeAgents, makePool, makeTeam } from '../support/routing.ts';
import { readWholeDatabase } from '../support/whole-store.ts';
import { testActivityContext } from '../support/worker.ts';
import { openTestCheck } from './dncr/support.ts';
import { makeDelivery, makeEndpoint } from './webhooks/support.ts';

type Activities = LeadActivities & WebhookActivities & DncrActivities & HousekeepingActivities;
type Name = keyof Activities;

/** One activity's call, and what it is expected to do. */
interface Call<Of extends Name> {
  input: Parameters<Activities[Of]>[0];
  /** Equal to the result; `undefined` for an activity without one. */
  returns: object | undefined;
  /** Equal to the second run's result, where that is not the first one's. */
  retriedReturns?: object;
  /** Replaces `returns` for the second run. */
  writesNothing?: true;
  /** How far ahead the worker's clock is. */
  hours?: number;
}

const [receiver, registry] = await Promise.all([startReceiver(), startRegistry()]);
const api = await startIntake({ variables: registryVariables(registry) });
const agents = await makeAgents(api.database, 2);
const agentId = agents[0]?.id ?? '';
const teamId = await makeTeam(api.database, agents);
const poolId = await makePool(api.database);
const targets = { pool: { kind: 'pool', poolId }, team: { kind: 'team', teamId } };
afterAll(async () => {
  await api.stop();
  await Promise.all([receiver.stop(), registry.stop()]);
});

/** A lead that the rules have brought to a target or, without one, not seen yet. */
async function makeLead(routedTo?: keyof typeof targets): Promise<string> {
  const followUp = { minutes: 5, onExpiry: 'reassign' };
  await activateRules(api.database, [{ target: targets[routedTo ?? 'team'], followUp }]);
  const { id: leadId } = await api.create();
  if (routedTo) await run('routeLead', { leadId });
  return leadId;
}

const makeTestEndpoint = () => makeEndpoint(api, `${receiver.url}/hooks/leads`);
const makeTestDelivery = async () => makeDelivery(api, await makeTestEndpoint());

function reportsOf({ eventId }: { eventId: string }) {
  const report = { eventId, outcome: 'delivered', attempts: 1 };
  return {
    returns: { ...report, detail: 'it answered 200' },
    retriedReturns: { ...report, detail: 'It was delivered before.' },
  };
}

const makeCheck = async (): Promise<{ checkId: string }> => ({ checkId: await openTestCheck(api) });

const prepareCall: { readonly [Of in Name]: () => Promise<Call<Of>> } = {
  async readLead() {
    const leadId = await makeLead('team');
    const returns = expect.objectContaining({ status: 'assigned', moves: 0 });
    return { input: { leadId }, returns, writesNothing: true };
  },
  async routeLead() {
    const leadId = await makeLead();
    return { input: { leadId }, returns: expect.objectContaining({ status: 'assigned' }) };
  },
  async expireFollowUp() {
    const leadId = await makeLead('team');
    const returns = expect.objectContaining({ status: 'assigned', moves: 1 });
    return { input: { leadId, round: 1, moves: 0 }, returns, hours: 1 };
  },
  async claimLead() {
    const leadId = await makeLead('pool');
    return {
      input: { leadId, agentId, claimId: randomUUID() },
      returns: expect.objectContaining({ claimed: true }),
    };
  },
  async handOverLead() {
    const leadId = await makeLead('team');
    const request = handOverRequest({ kind: 'agent', agentId }, { leadId });
    await insertHandOver(api.database, request);
    const returns = { moved: true, to: { kind: 'agent', agentId } } as const;
    return { input: { leadId, handOverId: request.id }, returns };
  },
  async closeMergeWindow() {
    return { input: { leadId: await makeLead('pool') }, returns: undefined, hours: 25 };
  },

  async sendWebhooks() {
    const delivery = await makeTestDelivery();
    const { endpointId, oauthClientId } = delivery;
    const { returns, retriedReturns } = reportsOf(delivery);
    return {
      input: { endpointId, oauthClientId, deliveries: [delivery] },
      returns: [returns],
      retriedReturns: [retriedReturns],
    };
  },
  async retryWebhook() {
    const input = await makeTestDelivery();
    return { input, ...reportsOf(input) };
  },
  async testWebhook() {
    const { endpointId } = await makeTestEndpoint();
    const returns = expect.objectContaining({ delivered: true, status: 200 });
    const input = { endpointId, testId: randomUUID() };
    return { input, returns, retriedReturns: returns, writesNothing: true };
  },

  async readDncrCache() {
    const returns = expect.objectContaining({ remaining: 1 });
    return { input: await makeCheck(), returns, writesNothing: true };
  },
  async askDncrRegistry() {
    return {
      input: await makeCheck(),
      returns: { numberCount: 1, transactionId: expect.any(String) },
      retriedReturns: { numberCount: 0, transactionId: null },
    };
  },
  async storeDncrAnswers() {
    const input = await makeCheck();
    await run('askDncrRegistry', input);
    return { input, returns: { not_registered: 1 } };
  },
  async abandonDncrCheck() {
    return { input: await makeCheck(), returns: undefined };
  },

  async purgeExpiredRows() {
    await api.database.query(
      `insert into oauth_tokens (token_hash, client_id, created_at, expires_at)
       values (:hash, :clientId, now() - interval '9 days', now() - interval '8 days')`,
      { hash: randomBytes(32), clientId: api.client.id },
    );
    const returns = expect.objectContaining({ tokens: 1 });
    return { input: undefined, returns, retriedReturns: expect.objectContaining({ tokens: 0 }) };
  },
  async eraseInactivePersons() {
    api.setNow(new Date('2020-01-01'));
    await makeLead();
    api.setNow(null);
    return {
      input: { inactiveSince: '2021-01-01' },
      returns: { erasedLeads: 1 },
      retriedReturns: { erasedLeads: 0 },
    };
  },
};

const logger = new DefaultLogger('ERROR', () => undefined);

type Activity = (input: unknown) => Promise<unknown>;

function activitiesAfter(hours = 0): Record<string, Activity> {
  const now = () => new Date(Date.now() + hours * 3_600_000);
  const workers = workersOf(testActivityContext(api.database, api.config, now));
  return Object.assign({}, ...workers.map(({ activities }) => activities));
}

/** Runs an activity as a worker does, without a Temporal server. */
function run(name: Name, input: unknown, hours?: number): Promise<unknown> {
  const activity = activitiesAfter(hours)[name] as Activity;
  return new MockActivityEnvironment({}, { logger }).run(activity, input);
}

async function readRows(): Promise<Record<string, string[]>> {
  const tables = await readWholeDatabase(api.adminUrl());
  delete tables.pg_stats;
  return Object.fromEntries(
    Object.entries(tables).map(([table, text]) => [table, text.split('\n').toSorted()]),
  );
}

test('the activities below are those of all workers', () => {
  expect(Object.keys(prepareCall).toSorted()).toEqual(Object.keys(activitiesAfter()).toSorted());
});

/** Temporal also retries an activity that ended and whose result was lost. */
test.each(Object.keys(prepareCall) as Name[])(
  '%s that is retried writes nothing more',
  async (name) => {
    const call: Call<Name> = await prepareCall[name]();
    const before = await readRows();
    const result = await run(name, call.input, call.hours);
    expect(result).toEqual(call.returns);
    const after = await readRows();
    expect(isDeepStrictEqual(after, before)).toBe(call.writesNothing ?? false);
    const retried = await run(name, call.input, call.hours);
    expect(retried).toEqual(call.retriedReturns ?? result);
    expect(await readRows()).toEqual(after);
  },
);
