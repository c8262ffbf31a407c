import { newPhone, startTestApi } from '../../support/api.ts';
import { activateRules, makeAgent } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';

const api = await startTestApi();
afterAll(() => api.stop());

/** The state of a lead after its creation and these requests, under a rule with this gate for languages. */
async function route(language: 'require' | 'prefer', bodies: readonly [object, ...object[]]) {
  const { id: agentId } = await makeAgent(api.database, { languages: ['en'] });
  await activateRules(api.database, [{ target: { kind: 'agent', agentId }, gates: { language } }]);
  const leadPhones = [newPhone()];
  const [first, ...others] = bodies;
  const { id: leadId } = await api.create({ leadPhones, ...first });
  for (const { merges = false, ...body } of others as { merges?: boolean }[])
    await (merges ? api.create({ leadPhones, ...body }) : api.update(leadId, body));
  const snapshot = await leadActivities(api).routeLead({ leadId });
  const [decision] = await api.database.query<{ explanation: unknown }>(
    `select explanation from assignments a join routing_decisions d on d.assignment_id = a.id where a.lead_id = $1`,
    [leadId],
  );
  return { status: snapshot?.status, explanation: JSON.stringify(decision?.explanation) };
}

const klingon = { languages: ['Klingon'] };
/** Postgres stores these characters in a body, and does not read them. */
const unread = { note: 'a\u0000b\ud800 \\u0000 \\' };

test.each([
  ['of which one is not in the list', [{ languages: ['Klingon', 'en-GB'] }]],
  ['that were blank', [{ languages: [' ', null], ...unread }]],
  ['that an update replaced', [klingon, { languages: ['English (UK)'] }]],
  ['that an update cleared', [klingon, { languages: null }]],
] as const)('a lead with languages %s goes to an agent', async (_, bodies) => {
  expect((await route('require', bodies)).status).toBe('assigned');
});

test.each([
  ['the create', [{ ...klingon, ...unread }]],
  ['a merged enquiry', [{}, { ...klingon, merges: true }]],
  ['an update', [{}, klingon]],
  ['the create before an update without languages', [klingon, { languages: [], budgetMax: 5 }]],
] as const)('no agent speaks the languages of %s, which are not in the list', async (_, bodies) => {
  const { status, explanation } = await route('require', bodies);
  expect(status).toBe('unassigned');
  expect(explanation).toContain('"reason":"unreadable_language"');
  expect((await route('prefer', bodies)).status).toBe('assigned');
});
