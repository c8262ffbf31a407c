import { randomUUID } from 'node:crypto';
import type { HandOver } from '../../../domain/assignment/hand-over.ts';
import { insertHandOver } from '../../../store/assignment/hand-overs.ts';
import { readAssignmentHistory } from '../../../store/assignment/read-assignment.ts';
import { startTestApi } from '../../support/api.ts';
import { handOverRequest } from '../../support/hand-over.ts';
import { waitForLockWaits } from '../../support/lock-waits.ts';
import {
  activateRules,
  makeAgent,
  makePool,
  makeTeam,
  type TestAgent,
} from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';

const api = await startTestApi();
const activities = leadActivities(api);
const [sara, omar] = [await makeAgent(api.database), await makeAgent(api.database)];
const poolId = await makePool(api.database);
const teamId = await makeTeam(api.database, [sara, omar]);
const followUp = { minutes: 5, onExpiry: 'reassign', maxMoves: 2 };
await activateRules(api.database, [{ target: { kind: 'team', teamId }, followUp }]);
afterAll(() => api.stop());

const create = async (body: object = {}): Promise<string> => (await api.create(body)).id;

async function createRouted(): Promise<{ leadId: string; holder: TestAgent; other: TestAgent }> {
  const leadId = await create();
  const lead = await activities.routeLead({ leadId });
  const [holder, other] = lead?.agentId === sara.id ? [sara, omar] : [omar, sara];
  return { leadId, holder, other };
}

async function ask(target: HandOver['target'], over: Partial<HandOver> = {}): Promise<string> {
  const request = handOverRequest(target, { reason: 'she left', ...over });
  expect(await insertHandOver(api.database, request)).toBe(true);
  return request.id;
}

const handOver = (leadId: string, handOverId: string) =>
  activities.handOverLead({ leadId, handOverId });
const read = (leadId: string) => activities.readLead({ leadId });

/** Once the five minutes of the second round are over. */
const expireLater = (leadId: string) =>
  leadActivities(api, () => new Date(Date.now() + 6 * 60_000)).expireFollowUp({
    leadId,
    round: 2,
    moves: 0,
  });

async function eventsOf(leadId: string): Promise<{ type: string; previous: string | null }[]> {
  return api.database.query(
    `select type, body::jsonb #>> '{data,previousAgentId}' as previous from webhook_events
     where lead_id = $1 order by sequence`,
    [leadId],
  );
}

test('a call that changes nothing waits for no agent', async () => {
  const { leadId, other } = await createRouted();
  const id = await ask({ kind: 'agent', agentId: other.id });
  const again = await ask({ kind: 'agent', agentId: other.id });
  const moved = await handOver(leadId, id);
  const respond = () =>
    api.call('POST', `/public/leads/${leadId}/response-time`, { body: { seconds: 5 } });
  expect((await respond()).status).toBe(200);
  await api.database.transaction(async (sql) => {
    await sql.query(`select from agents for no key update`);
    expect(await handOver(leadId, id)).toEqual(moved);
    expect(await handOver(leadId, again)).toMatchObject({ reason: 'there_already' });
    await activities.expireFollowUp({ leadId, round: 1, moves: 0 });
    expect((await respond()).status).toBe(200);
  });
});

describe('an operator gives a lead to an agent', () => {
  test('with the clock that its rule gives, an event and the author, once for a request', async () => {
    const { leadId, holder, other } = await createRouted();
    const id = await ask({ kind: 'agent', agentId: other.id });
    const moved = { moved: true, to: { kind: 'agent', agentId: other.id } };
    expect(await handOver(leadId, id)).toEqual(moved);
    expect(await handOver(leadId, id)).toEqual(moved);

    const lead = await read(leadId);
    expect(JSON.stringify(lead)).not.toMatch(/noor|she left/);
    expect(lead).toMatchObject({ status: 'assigned', agentId: other.id, round: 2, moves: 0 });
    const minutes = ((lead?.followUpDueAtMs ?? 0) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(4);
    expect(minutes).toBeLessThanOrEqual(5);
    expect(lead?.reasons.at(-1)).toBe(`Assigned by an operator to agent ${other.id}.`);
    expect(await eventsOf(leadId)).toEqual([
      { type: 'lead.created', previous: null },
      { type: 'lead.assigned', previous: null },
      { type: 'lead.assigned', previous: holder.id },
    ]);
    const history = await readAssignmentHistory(api.database, leadId);
    expect(history).toHaveLength(2);
    expect(history[1]).toMatchObject({
      decidedBy: 'operator',
      handOver: { id, author: 'noor', reason: 'she left' },
    });
    const expired = await expireLater(leadId);
    expect(expired).toMatchObject({ agentId: other.id, moves: 0, followUpDueAtMs: null });
  });

  test('unless the agent is not active, is the holder, or there is no such request or lead', async () => {
    const { leadId, holder } = await createRouted();
    const gone = await makeAgent(api.database, { active: false });
    const refused = (reason: string) => ({ moved: false, reason, status: 'assigned' });
    const toGone = await ask({ kind: 'agent', agentId: gone.id });
    expect(await handOver(leadId, toGone)).toEqual(refused('agent_not_active'));
    const toHolder = await ask({ kind: 'agent', agentId: holder.id });
    expect(await handOver(leadId, toHolder)).toEqual(refused('there_already'));
    expect(await handOver(leadId, randomUUID())).toEqual(refused('unknown_request'));
    expect(await handOver(randomUUID(), toHolder)).toMatchObject({ reason: 'unknown_lead' });
    expect(await readAssignmentHistory(api.database, leadId)).toHaveLength(1);
  });

  test('not to an agent whom somebody deactivates at the same moment', async () => {
    const { leadId } = await createRouted();
    const leaving = await makeAgent(api.database);
    const toLeaving = await ask({ kind: 'agent', agentId: leaving.id });
    const outcome = await api.database.transaction(async (sql) => {
      await sql.query('update agents set active = false where id = $1', [leaving.id]);
      const moving = handOver(leadId, toLeaving);
      await waitForLockWaits(api.database);
      return { moving };
    });
    expect(await outcome.moving).toMatchObject({ reason: 'agent_not_active' });
  });
});

describe('an operator sends a lead back through the rules', () => {
  test('in a new round, in which its former holder does not get it again', async () => {
    const { leadId, holder, other } = await createRouted();
    const outcome = await handOver(leadId, await ask({ kind: 'rules' }));
    expect(outcome).toEqual({ moved: true, to: { kind: 'agent', agentId: other.id } });
    const [, entry] = await readAssignmentHistory(api.database, leadId);
    expect(entry).toMatchObject({ round: 2, decidedBy: 'operator', ruleName: 'Rule 1' });
    const excluded = { agentId: holder.id, eligible: false, reason: 'taken_by_operator' };
    const agents = expect.arrayContaining([excluded]);
    expect(entry?.explanation?.rules).toMatchObject([{ selection: { agents } }]);

    const expired = await expireLater(leadId);
    expect(expired).toMatchObject({ agentId: other.id, followUpDueAtMs: null });
    // In the order of the team.
    for (const reason of ['nobody else', '1 held earlier in round', '1 taken by operator'])
      expect(expired?.reasons.at(-1)).toContain(reason);
  });
});

test('a claim is one by its id, and another claim cannot have it', async () => {
  const leadIds = [await create(), await create()];
  for (const leadId of leadIds) await handOver(leadId, await ask({ kind: 'pool', poolId }));
  const [leadId = '', other = ''] = leadIds;
  const claim = { leadId, agentId: sara.id, claimId: randomUUID() };
  for (let count = 0; count < 2; count += 1)
    expect(await activities.claimLead(claim)).toEqual({ claimed: true, agentId: sara.id });
  for (const another of [
    { ...claim, leadId: other },
    { ...claim, agentId: omar.id },
  ])
    await expect(activities.claimLead(another)).rejects.toMatchObject({ nonRetryable: true });
  expect(await read(other)).toMatchObject({ status: 'pool' });
});

test('a request is one by its id, and another request cannot have it', async () => {
  const request = handOverRequest({ kind: 'rules' });
  expect(await insertHandOver(api.database, request)).toBe(true);
  expect(await insertHandOver(api.database, { ...request, author: 'ali' })).toBe(true);
  expect(await insertHandOver(api.database, { ...request, onlyWaiting: true })).toBe(false);
});
