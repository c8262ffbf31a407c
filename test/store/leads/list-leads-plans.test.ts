import { listLeads, type LeadFilter } from '../../../store/leads/find-leads.ts';
import { explaining, type Plan } from '../../support/explaining.ts';
import { openDatabase } from '../catalogue/open.ts';

/** The statistics are those of the first size. */
const SIZES = [6_000, 60_000];
/** The table has ten times as many; what a state has little of takes some passing over. */
const MOST_PAGES = 1_500;
/** Leads a day, over two months at last. */
const PER_DAY = 1000;
const START = Date.parse('2026-01-01T00:00:00Z');

let size = 0;

const open = await openDatabase('adminUrl');
await open.database.query(`alter table leads set (autovacuum_enabled = false)`);
afterAll(() => open.close());

const uuid = (kind: string, number: string) => `md5('${kind}' || ${number})::uuid`;

/** Most leads are answered by one of 20 agents; some of the first thousand alone have the rare source, rule and client. */
async function grow(to: number): Promise<void> {
  await open.database.transaction(async (sql) => {
    await sql.query('set local session_replication_role = replica');
    await sql.query(
      `with made as (
         select n, $1::timestamptz + n / $2::float8 * interval '1 day' as at, n < 1000 and n % 100 = 7 as is_rare,
           case when n % 50 = 1 then 'pool' when n % 50 = 2 then 'unassigned' when n < 1000 and n % 100 = 3 then 'pending'
             else 'assigned' end as status
         from generate_series($3::int, $4::int) n)
       insert into leads (id, contact_id, client_id, created_at, updated_at, funnel_id, merge_window_ends_at, source_id,
         assignment_status, owner_id, pool_id, placed_at, placed_by_rule, agent_responded_at, intake_unresolved)
       select gen_random_uuid(), gen_random_uuid(), case when is_rare then ${uuid('client', `'rare'`)} else ${uuid('client', 'n % 2')} end,
         at, at, gen_random_uuid(), at, case when is_rare then ${uuid('source', `'rare'`)} else ${uuid('source', 'n % 5')} end,
         status, case status when 'assigned' then ${uuid('agent', 'n % 20')} end, case status when 'pool' then ${uuid('pool', '1')} end,
         at, case when is_rare then 'rare' when status = 'assigned' then 'rule' end,
         case when status = 'assigned' and n % 100 > 5 then at end, case when n % 200 = 9 then '{}'::jsonb end
       from made`,
      [new Date(START).toISOString(), PER_DAY, size + 1, to],
    );
  });
  size = to;
}

const id = async (text: string) =>
  (await open.database.queryOne<{ id: string }>(`select ${text} as id`))?.id ?? '';

async function filters(): Promise<Record<string, Partial<LeadFilter>>> {
  const now = START + (size / PER_DAY) * 86_400_000;
  const ago = (hours: number) => new Date(now - hours * 3_600_000);
  const agentId = await id(uuid('agent', '7'));
  const rare = await id(uuid('source', `'rare'`));
  return {
    nothing: {},
    'the newest': { order: 'newest' },
    'a time': { since: ago(1) },
    'a state': { status: 'assigned' },
    'a rare state': { status: 'pending' },
    'leads without a response': { waitingSince: ago(2) },
    'the newest without a response': { waitingSince: ago(2), order: 'newest' },
    'a state without a response': { waitingSince: ago(2), status: 'pool' },
    'unassigned leads': { waitingSince: ago(2), status: 'unassigned' },
    'an agent': { agentId },
    'an agent who did not respond': { agentId, waitingSince: ago(2) },
    'leads to review': { needsReview: true },
    'a source': { sourceId: await id(uuid('source', '3')) },
    'a rare source': { sourceId: rare },
    'a rule': { rule: 'rule', order: 'newest' },
    'a rare rule': { rule: 'rare' },
    'a client': { clientId: await id(uuid('client', '1')) },
    'a rare client': { clientId: await id(uuid('client', `'rare'`)) },
  };
}

const NO_FILTER: LeadFilter = {
  status: null,
  agentId: null,
  sourceId: null,
  clientId: null,
  rule: null,
  needsReview: false,
  waitingSince: null,
  since: null,
  order: 'oldest',
  limit: 50,
};

async function pagesOfLists(): Promise<Record<string, number>> {
  const pages: Record<string, number> = {};
  for (const [name, filter] of Object.entries(await filters())) {
    const plans: Plan[] = [];
    await listLeads(explaining(open.database, plans), { ...NO_FILTER, ...filter });
    const [list] = plans; // what is counted after it, where it is cut, is all that the filter selects
    expect([name, list?.steps.filter((step) => step === 'Seq Scan on leads')]).toEqual([name, []]);
    pages[name] = list?.pages ?? Infinity;
  }
  return pages;
}

test('a list of 60,000 leads reads few pages, whatever it is filtered by, with the statistics of the first days', async () => {
  const [few, many] = SIZES as [number, number];
  await grow(few);
  await open.database.query('analyze');
  await grow(many);
  const pages = await pagesOfLists();
  expect(Object.entries(pages).filter(([, read]) => read > MOST_PAGES)).toEqual([]);
});
