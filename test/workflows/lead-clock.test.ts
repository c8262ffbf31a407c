import { Context } from '@temporalio/activity';
import { addAbsence, setPaused } from '../../store/routing/agents.ts';
import { createQueueOwner } from '../../worker/waiting-leads.ts';
import { addSearchAttributes } from '../../worker/prepare-namespace.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { startTestApi } from '../support/api.ts';
import {
  activateRules,
  makeAgent,
  makeAgents,
  makePool,
  makeTeam,
  type TestAgent,
} from '../support/routing.ts';
import { timeSkippingEnvironment } from '../support/time-skipping.ts';
import { startTestWorkers, testActivityContext } from '../support/worker.ts';
import { signalLead } from '../support/temporal.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let workerBehindMs = 0;
afterEach(() => void (workerBehindMs = 0));
/** The time of the skipping server, which is the only clock that its workflows know. */
const serverTime = () =>
  new Date(Context.current().info.currentAttemptScheduledTimestampMs - workerBehindMs);

const environment = await timeSkippingEnvironment();
await addSearchAttributes(environment.client);
const api = await startTestApi({ temporal: environment.client });
const workers = await startTestWorkers(testActivityContext(api.database, api.config, serverTime), {
  address: environment.address,
  namespace: environment.namespace ?? 'default',
});
afterAll(async () => {
  await workers.stop();
  await api.stop();
  await environment.teardown();
});

async function create(body: object = {}): Promise<string> {
  api.setNow(new Date(await environment.currentTimeMs()));
  const { id } = await api.create(body);
  await signalLead(environment.client, id, 'created');
  return id;
}

const result = (leadId: string) => leadRun(environment.client, leadId).result();

async function historyOf(leadId: string) {
  return api.database.query<{
    move: number;
    status: string;
    agent: string | null;
    previous: string | null;
    decidedAt: Date;
    afterMs: number;
  }>(
    `select a.move, a.status, a.agent_id as agent, a.previous_agent_id as previous, a.decided_at as "decidedAt",
       round(extract(epoch from a.decided_at - l.created_at) * 1000)::float8 as "afterMs"
     from assignments a join leads l on l.id = a.lead_id where l.id = $1 order by a.round, a.move`,
    [leadId],
  );
}

/** An agent's eight hours of each day that begin so many minutes from now on, or up to one less, and that moment. */
async function hoursFrom(minutes: number) {
  const beginMs = (await environment.currentTimeMs()) + minutes * MINUTE_MS;
  const startsAtMs = beginMs - (beginMs % MINUTE_MS);
  const [start, end] = [startsAtMs, startsAtMs + 8 * HOUR_MS].map((ms) =>
    new Date(ms).toISOString().slice(11, 16),
  );
  const hours = { time_zone: 'UTC', working_hours: { 'mon-sun': `${start}-${end}` } };
  return { hours, startsAtMs };
}

/** A team, to the next agent of which a lead moves on. */
async function startTeam(agents: readonly TestAgent[], followUp: object): Promise<void> {
  const target = { kind: 'team', teamId: await makeTeam(api.database, agents) };
  await activateRules(api.database, [{ target, followUp: { onExpiry: 'reassign', ...followUp } }]);
}

const minutesAfter = (ms: number, entry?: { decidedAt: Date }) =>
  ((entry?.decidedAt.getTime() ?? 0) - ms) / MINUTE_MS;

describe('the follow-up clock', () => {
  test('moves a lead on at most twice, each time when its minutes are over, and then it stays', async () => {
    await startTeam(await makeAgents(api.database, 4), { minutes: 15, maxMoves: 2 });
    const leadId = await create();
    expect(await result(leadId)).toBe('assigned');
    const history = await historyOf(leadId);
    expect(history.map(({ move, status }) => [move, status])).toEqual([
      [0, 'assigned'],
      [1, 'assigned'],
      [2, 'assigned'],
    ]);
    expect(new Set(history.map(({ agent }) => agent)).size).toBe(3);
    expect(history.slice(1).map(({ previous }) => previous)).toEqual(
      history.slice(0, 2).map(({ agent }) => agent),
    );
    for (const [index, { afterMs }] of history.entries())
      expect(Math.abs(afterMs - index * 15 * MINUTE_MS)).toBeLessThan(MINUTE_MS);
  });

  test('stops at a recorded response', async () => {
    await startTeam(await makeAgents(api.database, 2), { minutes: 60 });
    const leadId = await create();
    await environment.sleep(10 * MINUTE_MS);
    const answer = await api.call('POST', `/public/leads/${leadId}/response-time`, {
      body: { seconds: 540 },
    });
    expect(answer.status).toBe(200);
    await signalLead(environment.client, leadId, 'responded');
    expect(await result(leadId)).toBe('assigned');
    expect(await historyOf(leadId)).toHaveLength(1);
  });

  test('is set again if an absence that is entered while it runs takes of the working time', async () => {
    const { hours } = await hoursFrom(0);
    const agents = await makeAgents(api.database, 2, hours);
    await startTeam(agents, { minutes: 30, clock: 'working', maxMoves: 1 });
    const leadId = await create();
    await environment.sleep(MINUTE_MS);
    const nowMs = await environment.currentTimeMs();
    const [from = '', to = ''] = [10, 100].map((minutes) =>
      new Date(nowMs + minutes * MINUTE_MS).toISOString(),
    );
    const [owner] = await historyOf(leadId);
    await addAbsence(api.database, owner?.agent ?? '', { from, to, note: null });
    expect(await result(leadId)).toBe('assigned');
    const [, second] = await historyOf(leadId);
    expect(second).toMatchObject({ move: 1, previous: owner?.agent });
    expect(Math.abs(Number(second?.afterMs) - 120 * MINUTE_MS)).toBeLessThan(MINUTE_MS);
  });

  test('starts again in a new run if an agent can take the lead only after the run has ended', async () => {
    const agents = await makeAgents(api.database, 2);
    const [, second] = agents;
    await startTeam(agents, { minutes: 15, maxMoves: 1 });
    await setPaused(api.database, second?.id ?? '', new Date(0));
    const leadId = await create();
    expect(await result(leadId)).toBe('assigned');
    await setPaused(api.database, second?.id ?? '', null);
    const now = new Date(await environment.currentTimeMs());
    const context = testActivityContext(api.database, api.config, () => now);
    const place = createQueueOwner(context, async (rows) => {
      for (const row of rows) await signalLead(environment.client, row.leadId, 'rerouted');
    });
    expect(await place()).toBe(1);
    await api.database.query('delete from worker_leases');
    expect(await result(leadId)).toBe('assigned');
    const history = await historyOf(leadId);
    expect(history.map(({ move }) => move)).toEqual([0, 1]);
    const notes = await api.database.query<{ text: string }>(
      `select text from timeline_notes where lead_id = $1 and kind = 'follow_up' order by at`,
      [leadId],
    );
    expect(notes.map(({ text }) => text)).toEqual([
      expect.stringContaining('nobody else can take over yet'),
      'No response in time; after 1 move it stays.',
    ]);
  });
});

describe('a wait for an agent', () => {
  /** A rule that waits for up to two hours for an agent who works from so many minutes from now on. */
  async function waitFor(minutes: number) {
    const { hours, startsAtMs } = await hoursFrom(minutes);
    const agent = await makeAgent(api.database, hours);
    const then = { kind: 'pool', poolId: await makePool(api.database) };
    await activateRules(api.database, [
      {
        target: { kind: 'agent', agentId: agent.id },
        gates: { availability: 'working_hours' },
        followUp: { minutes: 0 },
        onExhausted: { kind: 'wait', atMostMinutes: 120, then },
      },
    ]);
    return { agent, startsAtMs };
  }

  test('is ended by the run itself after the agent’s hours began', async () => {
    const { agent, startsAtMs } = await waitFor(90);
    const leadId = await create();
    expect(await result(leadId)).toBe('assigned');
    const [assigned] = await historyOf(leadId);
    expect(assigned).toMatchObject({ move: 0, status: 'assigned', agent: agent.id });
    // Where nobody works on the queue, the run looks two to five minutes after the lead was due.
    expect(minutesAfter(startsAtMs, assigned)).toBeGreaterThanOrEqual(2);
    expect(minutesAfter(startsAtMs, assigned)).toBeLessThan(6);
  });

  test('ends where the rule says when its time is over', async () => {
    const { agent } = await waitFor(90);
    const leadId = await create();
    await environment.sleep(MINUTE_MS);
    await api.database.query('update agents set paused_at = now() where id = $1', [agent.id]);
    expect(await result(leadId)).toBe('pool');
    const [pooled] = await historyOf(leadId);
    expect(pooled?.afterMs).toBeGreaterThan(120 * MINUTE_MS);
    expect(pooled?.afterMs).toBeLessThan(132 * MINUTE_MS);
  });

  test('begins with a worker whose clock is behind, and ends no sooner for it', async () => {
    workerBehindMs = 30_000;
    await waitFor(60);
    expect(await result(await create())).toBe('assigned');
  });
});

describe('the merge window', () => {
  test('is closed by the workflow at its end: a second enquiry before it merges, one after it is a repeat lead', async () => {
    await activateRules(api.database, []);
    const phone = '+971551234567';
    const leadId = await create({ leadPhones: [phone] });
    const startedAtMs = await environment.currentTimeMs();
    await environment.sleep(24 * HOUR_MS - MINUTE_MS);
    api.setNow(new Date(startedAtMs + 24 * HOUR_MS - MINUTE_MS));
    const inside = await api.call('POST', '/public/leads', { body: { leadPhones: [phone] } });
    expect(inside.body).toMatchObject({ id: leadId, merged: true, matchedOn: 'phone' });
    expect(await result(leadId)).toBe('unassigned');
    const [lead] = await api.database.query<{ closed: Date; open: number }>(
      `select merge_window_closed_at as closed,
         (select count(*)::int from lead_contact_points where lead_id = l.id and mergeable) as open
       from leads l where id = $1`,
      [leadId],
    );
    expect(lead?.open).toBe(0);
    expect(Math.abs((lead?.closed.getTime() ?? 0) - startedAtMs - 24 * HOUR_MS)).toBeLessThan(
      MINUTE_MS,
    );
    api.setNow(new Date(startedAtMs + 24 * HOUR_MS + MINUTE_MS));
    const after = await api.call('POST', '/public/leads', { body: { leadPhones: [phone] } });
    expect(after.body).toMatchObject({ merged: false, isRepeatLead: true, repeatOfLeadId: leadId });
  });

  test('is closed by a worker whose clock is behind as soon as it is over by that clock', async () => {
    await activateRules(api.database, []);
    workerBehindMs = 30_000;
    const leadId = await create();
    expect(await result(leadId)).toBe('unassigned');
    const { merge_window_closed_at: closed, merge_window_ends_at: ends } = await api.lead(leadId);
    expect(closed.getTime() - ends.getTime()).toBeGreaterThanOrEqual(0);
    expect(closed.getTime() - ends.getTime()).toBeLessThan(MINUTE_MS);
  });
});
