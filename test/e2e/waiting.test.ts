import { bumpReferenceVersion } from '../../store/catalogue/reference-version.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { activateRules, makePool, makeTeam } from '../support/routing.ts';
import { startTestService } from './test-service.ts';
import { zoneAtNoon } from '../support/working-time.ts';

const service = await startTestService();
afterAll(() => service.stop());

const AGENTS = 4;
const LEADS = 30;

test('leads that wait go to whoever is free, in the order in which they came, and their workflows see it', async () => {
  const { api } = service;
  const agents = [];
  for (let at = 0; at < AGENTS; at += 1)
    agents.push(await service.addAgent({ open_cap: 1, daily_cap: 2, time_zone: zoneAtNoon() }));
  const teamId = await makeTeam(api.database, agents);
  const then = { kind: 'pool', poolId: await makePool(api.database) };
  await activateRules(api.database, [
    {
      target: { kind: 'team', teamId },
      followUp: { minutes: 0 },
      onExhausted: { kind: 'wait', atMostMinutes: 1500, then },
    },
  ]);
  const held = [];
  for (let lead = 0; lead < AGENTS; lead += 1) held.push(await service.create());
  for (const leadId of held) await service.becomes(leadId, 'assigned');
  // Their open leads would keep these waiting for ever; their leads of the day end at midnight.
  await api.database.query('update agents set daily_cap = 1 where id = any ($1)', [
    agents.map(({ id }) => id),
  ]);
  for (const leadId of held) await service.respond(leadId);
  const waiting = [];
  for (let lead = 0; lead < LEADS; lead += 1) {
    waiting.push(await service.create());
    await waits(waiting.length);
  }
  await api.database.query('update agents set daily_cap = 4 where id = any ($1)', [
    agents.map(({ id }) => id),
  ]);
  await bumpReferenceVersion(api.database);

  // Each response frees its agent for the next one, until everybody has the leads of the day.
  const given = waiting.slice(0, AGENTS * 3);
  for (const leadId of given) {
    await service.becomes(leadId, 'assigned');
    await service.respond(leadId);
  }
  const owners = await api.database.query<{ owner: string; leads: number }>(
    `select owner_id as owner, count(*)::int as leads from leads where id = any ($1) group by 1`,
    [given],
  );
  expect(owners.map(({ leads }) => leads)).toEqual(Array.from({ length: AGENTS }, () => 3));
  await waits(LEADS - given.length);
  const last = leadRun(service.temporal, given.at(-1) ?? '');
  const seesOwner = async () => {
    const { searchAttributes, raw, historyLength } = await last.describe();
    const { pendingActivities, pendingWorkflowTask } = raw;
    const found = { ...searchAttributes, pendingActivities, pendingWorkflowTask, historyLength };
    expect(found).toMatchObject({ LeadStatus: ['assigned'] });
  };
  await waitUntil(seesOwner, { what: 'The workflow of the last one' });
});

/** Until so many leads wait. */
async function waits(count: number): Promise<void> {
  const waiting = `
    select from lead_waits w join leads l on l.id = w.lead_id where l.assignment_status = 'pending'`;
  await waitUntil(
    async () => expect(await service.api.database.query(waiting)).toHaveLength(count),
    { what: 'The wait of a lead', everyMs: 20 },
  );
}
