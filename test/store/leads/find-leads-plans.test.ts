import { findLeads } from '../../../store/leads/find-leads.ts';
import { explaining, type Plan } from '../../support/explaining.ts';
import { openDatabase } from '../catalogue/open.ts';

const LEADS = 20_000;
/** The two tables have more than a thousand. */
const MOST_PAGES = 300;

/** Each lead has a first name of 500, a last name and a phone of its own. */
const open = await openDatabase('adminUrl');
await open.database.transaction(async (sql) => {
  await sql.query('set local session_replication_role = replica');
  await sql.query(
    `with made as (
       insert into leads (id, contact_id, client_id, created_at, updated_at, funnel_id, merge_window_ends_at,
         assignment_status, placed_at, lead_first_name, lead_last_name, integration_ref)
       select md5(n::text)::uuid, gen_random_uuid(), gen_random_uuid(), now(), now(), gen_random_uuid(), now(),
         'unassigned', now(), 'First' || n % 500, 'Al Last' || n, 'REF-' || n
       from generate_series(1, $1::int) n returning id)
     insert into lead_contact_points (lead_id, kind, value, founding, mergeable)
     select md5(n::text)::uuid, 'phone', '+97150' || lpad(n::text, 7, '0'), true, false
     from generate_series(1, $1::int) n`,
    [LEADS],
  );
});
await open.database.query('analyze leads, lead_contact_points');
afterAll(() => open.close());

const NOTHING = { contactPoints: [], reference: '', lastDigits: null, nameWords: [], ids: null };

test.each([
  ['a name', { nameWords: ['first227', 'last4227'] }],
  ['the last word of a name', { nameWords: ['last4227'] }],
  ['the last digits of a phone', { lastDigits: '4227' }],
  ['a reference in another case', { reference: 'ref-4227' }],
])('leads are found by %s without reading them all', async (_, named) => {
  const plans: Plan[] = [];
  await findLeads(explaining(open.database, plans), { ...NOTHING, ...named, limit: 50 });
  const [plan] = plans;
  expect(plan?.steps.filter((step) => /Seq Scan on (leads|lead_contact)/.test(step))).toEqual([]);
  expect(plan?.pages).toBeLessThan(MOST_PAGES);
});
