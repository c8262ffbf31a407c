import { newPhone, startTestApi } from '../../support/api.ts';
import { activateRules, makeAgents, makeSource, makeTeam } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';

const api = await startTestApi();
afterAll(() => api.stop());
await makeSource(api.database, 'Portal', true);
const teamId = await makeTeam(api.database, await makeAgents(api.database, 3));
const gates = { contactOwner: 'prefer' };
await activateRules(api.database, [{ target: { kind: 'team', teamId }, gates }]);
const { routeLead } = leadActivities(api);

async function enquiries(...phones: string[]): Promise<string[]> {
  const leadIds: string[] = [];
  for (const phone of phones)
    leadIds.push((await api.create({ leadPhones: [phone], source: 'Portal' })).id);
  return leadIds;
}

async function ownersOf(leadIds: readonly string[]): Promise<string[]> {
  await Promise.all(leadIds.map((leadId) => routeLead({ leadId })));
  const leads = await Promise.all(leadIds.map((id) => api.lead(id)));
  return leads.map(({ owner_id: ownerId }) => String(ownerId));
}

test('enquiries of one person that are decided under one lock go to one agent', async () => {
  const person = newPhone();
  const [, ...owners] = await ownersOf(await enquiries(newPhone(), person, person, person));
  expect(new Set(owners).size).toBe(1);
});

test('an earlier lead that nobody has held, or whose person was erased, names no agent', async () => {
  const person = newPhone();
  const [first = '', pooled = '', last = ''] = await enquiries(person, person, person);
  const [owner] = await ownersOf([first]);
  await api.database.query(`update leads set assignment_status = 'unassigned' where id = $1`, [
    pooled,
  ]);
  expect(await ownersOf([last])).toEqual([owner]);
  await api.database.query(`update leads set erased_at = now() where id = any ($1)`, [
    [first, last],
  ]);
  const owners = await ownersOf(await enquiries(person));
  expect(owners).not.toContain(owner);
});
