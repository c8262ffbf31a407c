import { readAssignment } from '../../../store/assignment/read-assignment.ts';
import { readIntakeFacts, readLeadChangeInputs } from '../../../store/leads/intake-facts.ts';
import { asAdmin } from '../../support/database.ts';
import { explaining, type Plan } from '../../support/explaining.ts';
import { seedReference } from '../../support/reference.ts';
import { startTestApi } from '../../support/api.ts';

const EMAIL = 'leads@portal.example';
const LEADS = 5000;
const NOTHING_ELSE = {
  listingId: null,
  referenceNo: null,
  platformCampaignId: null,
  campaignNameKey: null,
  blockIdentity: null,
  quizKey: null,
};

const api = await startTestApi();
await api.create({ leadEmails: [EMAIL] });
await api.database.query(
  `insert into leads
   select made.* from (select to_jsonb(l) as row from leads l) l, generate_series(1, $1::int) n,
     jsonb_populate_record(null::leads, row || jsonb_build_object('id', gen_random_uuid(),
       'merge_window_ends_at', now() - n * interval '1 minute')) made`,
  [LEADS],
);
await asAdmin(api.config.database.url, `vacuum analyze leads`);
afterAll(() => api.stop());

test('an address that thousands of leads were sent with is known as quickly as any other', async () => {
  const plans: Plan[] = [];
  const [facts] = await readIntakeFacts(
    explaining(api.database, plans),
    [{ ...NOTHING_ELSE, contactPoints: [{ kind: 'email', value: EMAIL }], now: new Date() }],
    { locked: 'skip' },
  );
  expect(facts?.contacts[0]?.holder).toMatchObject({ hasAgentLead: false });
  expect(facts?.contacts[0]?.holder.olderLeadId).not.toBeNull();
  expect(plans).toHaveLength(1);
  expect(plans[0]?.pages).toBeLessThan(100);
});

test('open leads are found as quickly where the tables were analysed while there was none', async () => {
  const phones = Array.from({ length: 10 * LEADS }, (_none, index) => `+97154${1_000_000 + index}`);
  await api.database.query(`update lead_contact_points set mergeable = false`);
  await asAdmin(api.config.database.url, `vacuum analyze lead_contact_points`);
  await api.database.query(
    `insert into lead_contact_points (lead_id, kind, value, founding, mergeable)
     select l.id, 'phone', p.value, false, true
     from (select id, row_number() over () as n from leads) l
     join unnest($1::text[]) with ordinality as p (value, place) on place % $2 + 1 = n`,
    [phones, LEADS],
  );
  const plans: Plan[] = [];
  const keys = phones.slice(0, 64).map((value) => ({
    ...NOTHING_ELSE,
    contactPoints: [{ kind: 'phone' as const, value }],
    now: new Date(0),
  }));
  const facts = await readIntakeFacts(explaining(api.database, plans), keys, { locked: 'skip' });
  expect(facts.map(({ openLeads }) => openLeads.length)).toEqual(keys.map(() => 1));
  expect(plans[0]?.pages).toBeLessThan(15 * keys.length);
});

test('the plans that a connection keeps go by indexes, though the tables were small when they were made', async () => {
  const small = await startTestApi();
  await seedReference(small.database);
  const created = await small.create({ leadEmails: [EMAIL] });
  await asAdmin(small.config.database.url, 'vacuum analyze');
  const plans: Plan[] = [];
  const database = explaining(small.database, plans);
  const person = { ...NOTHING_ELSE, contactPoints: [{ kind: 'email' as const, value: EMAIL }] };
  const reader = { id: small.client.id, scopes: new Set<string>() };
  for (const locked of ['skip', 'wait'] as const)
    await readIntakeFacts(database, [{ ...person, now: new Date() }], { locked });
  await readLeadChangeInputs(database, created.id, NOTHING_ELSE);
  await readAssignment(database, created.id, reader);
  await small.stop();
  expect(plans).toHaveLength(4);
  expect(plans.flatMap(({ steps }) => steps).filter((step) => /^Seq Scan/.test(step))).toEqual([]);
});
