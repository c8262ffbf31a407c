import { startTestApi } from '../../support/api.ts';
import { waitForLockWaits } from '../../support/lock-waits.ts';
import { activateRules, makeAgent, makeTeam } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';

const api = await startTestApi();
afterAll(() => api.stop());

test('a decision that waited for its turn bears the time of its turn', async () => {
  const agent = await makeAgent(api.database);
  const teamId = await makeTeam(api.database, [agent]);
  await activateRules(api.database, [{ target: { kind: 'team', teamId } }]);
  const lead = await api.create();
  const turnAt = new Date(Date.now() + 60_000);
  let now = new Date();
  const route = leadActivities(api, () => now).routeLead;

  let routed: Promise<unknown> | undefined;
  await api.database.transaction(async (sql) => {
    await sql.query(`select id from agents where id = $1 for no key update`, [agent.id]);
    routed = route({ leadId: lead.id });
    await waitForLockWaits(api.database);
    now = turnAt;
  });
  await routed;

  const decided = await api.database.query(
    `select agent_id, decided_at from assignments where lead_id = $1`,
    [lead.id],
  );
  expect(decided).toEqual([{ agent_id: agent.id, decided_at: turnAt }]);
});
