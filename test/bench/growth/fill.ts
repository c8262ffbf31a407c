import pg from 'pg';

const TABLES = [
  'contacts',
  'contact_points',
  'leads',
  'lead_access',
  'lead_contact_points',
  'submissions',
  'timeline_notes',
  'assignments',
  'webhook_events',
  'lead_outbox',
];

/** Leads whose merge window is open, whatever the size. */
const OPEN_LEADS = 5000;

/**
 * Fills a migrated database, which has the reference and one client, with `size` leads, one a minute, a
 * sixth of them of a contact who had one already. All their merge windows are over when the statistics are
 * taken, which nothing renews: the leads with open windows come after, and no table is vacuumed any more.
 */
export async function fill(url: string, size: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run = async (...statements: string[]) => {
    for (const statement of statements) await client.query(statement);
  };
  // The foreign keys hold; their checks, and whole pages in the log, would take minutes.
  await run(`set session_replication_role = replica`, `set synchronous_commit = off`);
  await run(
    `alter system set full_page_writes = off`,
    `alter system set max_wal_size = '8GB'`,
    RELOAD,
  );
  await run(...TABLES.map((table) => `alter table ${table} set (autovacuum_enabled = false)`));
  await run(AGENTS_SQL, enquiriesSql({ from: 1, to: size, at: oldTime(size) }), ...LEADS_SQL);
  await run('drop table enquiries', 'vacuum (analyze)');
  const open = { from: size + 1, to: size + OPEN_LEADS, at: 'now()' };
  await run(enquiriesSql(open), ...LEADS_SQL, 'drop table enquiries', 'checkpoint');
  await run(`alter system reset full_page_writes`, `alter system reset max_wal_size`, RELOAD);
  await client.end();
}

const RELOAD = `select pg_reload_conf()`;
const oldTime = (size: number) => `now() - interval '2 days' - (${size} - n) * interval '1 minute'`;

const AGENTS_SQL = `
insert into agents (id, email, name, slug)
select gen_random_uuid(), 'agent' || n || '@broker.example', 'Agent ' || n, 'agent-' || n
from generate_series(1, 50) n`;

/** Such as the service gives to its rows. */
const newId = `(lpad(to_hex((extract(epoch from at)::bigint / 60) % 65536), 4, '0')
  || substr(gen_random_uuid()::text, 5))::uuid`;

const enquiriesSql = ({ from, to, at }: { from: number; to: number; at: string }) => `
create temp table enquiries as
select ${newId} as lead_id, md5('contact' || person)::uuid as contact_id, n = person as is_new,
  array['phone', 'email'] as kinds, array['+97150' || 1000000 + 7 * person, 'buyer' || person || '@mail.example'] as points,
  at, at > now() - interval '1 day' as is_open,
  (select id from oauth_clients limit 1) as client_id, a.ids[n % 50 + 1] as agent_id
from generate_series(${from}, ${to}) n, lateral (select case when n % 5 = 0 and n % 25 > 0 then n / 5 else n end as person) p,
  lateral (select ${at} as at) t, (select array_agg(id) as ids from agents) a`;

const POINTS = `cross join lateral unnest(kinds, points) as p (kind, value)`;
const BODY = `json_build_object('leadPhones', points[1:1], 'leadEmails', points[2:2], 'leadFirstName', 'عائشة',
  'source', 'Website', 'utmSource', 'google', 'utmCampaign', 'spring', 'initialInquiry', 'Two bedrooms, please.')`;

/** An old lead was responded to; a new one is held without a response. */
const LEADS_SQL = [
  `insert into contacts (id, first_name, created_at) select contact_id, 'عائشة', at from enquiries where is_new`,
  `insert into contact_points (kind, value, contact_id)
   select kind, value, contact_id from enquiries ${POINTS} where is_new`,
  `insert into leads (id, contact_id, client_id, created_at, updated_at, lead_phones, lead_emails, lead_first_name,
     initial_inquiry, source_id, funnel_id, utm_source, utm_campaign, is_repeat_lead, merge_window_ends_at,
     merge_window_closed_at, assignment_status, owner_id, assigned_at, agent_responded_at, event_sequence)
   select lead_id, contact_id, client_id, at, at, points[1:1], points[2:2], 'عائشة', 'Two bedrooms, please.',
     (select id from list_entries where name = 'Website' limit 1), (select id from funnels limit 1), 'google',
     'spring', not is_new, at + interval '1 day', case when not is_open then at + interval '1 day' end, 'assigned',
     agent_id, at, case when not is_open then at + interval '5 minutes' end, 2 from enquiries`,
  `insert into lead_access (lead_id, client_id) select lead_id, client_id from enquiries`,
  `insert into lead_contact_points (lead_id, kind, value, founding, mergeable)
   select lead_id, kind, value, true, is_open from enquiries ${POINTS}`,
  `insert into submissions (id, lead_id, client_id, kind, received_at, body)
   select ${newId}, lead_id, client_id, 'create', at, ${BODY} from enquiries`,
  `insert into timeline_notes (id, lead_id, at, kind, client_id, text)
   select ${newId}, lead_id, at, kind, client_id, 'A note of usual length, as an agent reads it.'
   from enquiries, unnest(array['created', 'assigned']) kind`,
  `insert into assignments (id, lead_id, round, move, status, agent_id, decided_by, rule_name, ruleset_version,
     reason, decided_at)
   select ${newId}, lead_id, 1, 0, 'assigned', agent_id, 'rules', 'Everyone', 1,
     'Rule "Everyone": its team takes turns.', at from enquiries`,
  `insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
   select 'evt_' || ${newId}, lead_id, client_id, type, sequence, ${BODY}::text, at
   from enquiries, unnest(array['lead.created', 'lead.assigned']) with ordinality e (type, sequence)`,
];
