import pg from 'pg';

export interface YearsFill {
  leads: number;
  days: number;
}

/** Those that grow with the leads. */
export const TABLES = [
  'contacts',
  'contact_points',
  'leads',
  'lead_access',
  'lead_contact_points',
  'submissions',
  'timeline_notes',
  'assignments',
  'routing_decisions',
  'lead_waits',
  'webhook_events',
  'event_feed',
  'webhook_deliveries',
  'webhook_attempts',
  'dncr_checks',
  'oauth_tokens',
];

/**
 * Multiplies the newest lead that the service's own code has created and routed, with an endpoint of its client, into
 * the leads of years, spread evenly until now. Set-based SQL, since the service's own writers would take an hour for a
 * million; foreign keys hold, but are not checked. Of each hundred leads five are without a response, two
 * in a pool, two unassigned, and three waited; a delivery in fifty failed for good, one in four hundred is held, and
 * those of the last leads are pending. Lead `n` of them has `md5('lead' || n)` as its id. `url` is of a superuser.
 */
export async function fillYears(url: string, { leads, days }: YearsFill): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const setting of [
      'session_replication_role = replica',
      'synchronous_commit = off',
      `work_mem = '256MB'`,
      `maintenance_work_mem = '512MB'`,
    ])
      await client.query(`set ${setting}`);
    await client.query(`create temp table made as ${MADE_SQL}`, [leads, days]);
    await client.query(`create temp table model as ${MODEL_SQL}`);
    // An index is made many times faster of rows that are there than with each of them.
    const { rows: indexes } = await client.query<IndexText>(INDEXES_SQL, [TABLES]);
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    for (const statement of ROWS_SQL) await client.query(statement);
    await client.query('drop table made, model');
    for (const { text } of indexes) await client.query(text);
    for (const table of TABLES) await client.query(`vacuum (analyze) ${table}`);
  } finally {
    await client.end();
  }
}

interface IndexText {
  name: string;
  text: string;
}

/** Indexes that no constraint needs. */
const INDEXES_SQL = `
select i.indexrelid::regclass as name, pg_get_indexdef(i.indexrelid) as text
from pg_index i join pg_class t on t.oid = i.indrelid
where t.relname = any ($1) and t.relnamespace = 'public'::regnamespace and not i.indisunique`;

/** From the times of the rows on, each lead is made of its number alone. */
const MADE_SQL = `
select n, md5('lead' || n)::uuid as id, md5('contact' || person)::uuid as contact_id, n = person as is_new,
  '+97150' || 1000000 + 7 * person as phone, 'buyer' || person || '@mail.example' as email, at,
  case when n % 50 = 11 then 'pool' when n % 50 = 13 then 'unassigned' else 'assigned' end as status,
  n % 50 not in (11, 13) and n % 20 <> 3 as is_answered, n % 100 in (5, 6, 7) as has_waited,
  case when n > $1 - 10 then 'pending' when n % 50 = 5 then 'failed' when n % 400 = 6 then 'held' else 'delivered' end as delivery,
  a.ids[1 + n % cardinality(a.ids)] as agent_id, s.ids[1 + n % cardinality(s.ids)] as source_id
from generate_series(1, $1::int) n,
  lateral (select case when n % 5 = 0 and n % 25 > 0 then n / 5 else n end as person) p,
  lateral (select date_trunc('milliseconds', now() - ($1 - n) * ($2::float8 / $1) * interval '1 day') as at) t,
  (select array_agg(id order by email) as ids from agents) a,
  (select array_agg(id order by name) as ids from list_entries where list = 'source') s`;

/** The lead that is multiplied, and its decision. */
const MODEL_SQL = `
  select l.*, a.rule_name, a.ruleset_version, a.reason as why, a.follow_up, d.facts, d.facts_hash, d.roster_hash,
    d.roster, d.explanation,
    array(select body from webhook_events where lead_id = l.id order by sequence) as bodies
  from leads l join assignments a on a.lead_id = l.id join routing_decisions d on d.assignment_id = a.id
  order by a.decided_at desc limit 1`;

const BODY = `json_build_object('leadPhones', array[phone], 'leadEmails', array[email], 'leadFirstName', 'عائشة', 'source',
  'Website', 'utmSource', 'google', 'utmCampaign', 'spring', 'initialInquiry', 'Two bedrooms, please.')`;
const EVENT = `replace(x.bodies[e.sequence], x.id::text, m.id::text)`;
const EVENTS = `made m, (values ('lead.created', 1), ('lead.assigned', 2)) e (type, sequence)`;
const CREATES_AN_EVENT = `(e.sequence = 1 or m.status = 'assigned')`;
const EVENT_ID = `format('evt_%s-0000-4000-8000-%s', lpad(to_hex(n), 8, '0'), lpad(e.sequence::text, 12, '0'))`;
const RESPONDED_AT = `case when is_answered then at + interval '5 minutes' + n % 600 * interval '1 second' end`;
const POOL_ID = `(select id from list_entries where list = 'pool' limit 1)`;
const ENDPOINT_ID = `(select id from webhook_endpoints order by created_at limit 1)`;
const ASSIGNMENT_ID = `md5('assignment' || n)::uuid`;

const ROWS_SQL = [
  `insert into contacts (id, first_name, created_at) select contact_id, 'عائشة', at from made where is_new`,
  `insert into contact_points (kind, value, contact_id)
   select kind, value, contact_id from made, unnest(array['phone', 'email'], array[phone, email]) p (kind, value) where is_new`,
  `insert into leads (id, contact_id, client_id, created_at, updated_at, lead_phones, lead_emails, lead_first_name,
     initial_inquiry, source_id, funnel_id, stage_id, utm_source, utm_campaign, integration_ref, is_repeat_lead,
     merge_window_ends_at, merge_window_closed_at, assignment_status, owner_id, pool_id, assigned_at, placed_at, placed_by_rule,
     agent_responded_at, agent_response_seconds, intake_unresolved, event_sequence)
   select m.id, m.contact_id, x.client_id, at, at, array[phone], array[email], 'عائشة', 'Two bedrooms, please.', m.source_id, x.funnel_id,
     x.stage_id, 'google', 'spring', 'crm-' || n, not is_new, at + interval '1 day',
     case when at < now() - interval '1 day' then at + interval '1 day' end, status, case status when 'assigned' then agent_id end,
     case status when 'pool' then ${POOL_ID} end, case status when 'assigned' then at end, at, rule_name, ${RESPONDED_AT},
     case when is_answered then 300 + n % 600 end, case when n % 200 = 9 then '{"language": "Klingon"}'::jsonb end, 2 from made m, model x`,
  `insert into lead_access (lead_id, client_id) select m.id, x.client_id from made m, model x`,
  `insert into lead_contact_points (lead_id, kind, value, founding, mergeable)
   select m.id, kind, value, true, false from made m, unnest(array['phone', 'email'], array[phone, email]) p (kind, value)`,
  `insert into submissions (id, lead_id, client_id, kind, received_at, body)
   select md5('submission' || n)::uuid, m.id, x.client_id, 'create', at, ${BODY} from made m, model x`,
  `insert into timeline_notes (id, lead_id, at, kind, client_id, text)
   select md5(kind || n)::uuid, m.id, noted_at, kind, x.client_id, 'A note of usual length, as an agent reads it.'
   from made m, model x, lateral (values ('created', at), ('assigned', at), ('response', ${RESPONDED_AT})) k (kind, noted_at)
   where noted_at is not null and (kind <> 'assigned' or status = 'assigned')`,
  `insert into assignments (id, lead_id, round, move, status, agent_id, pool_id, decided_by, rule_name, ruleset_version, reason,
     follow_up, follow_up_due_at, decided_at)
   select ${ASSIGNMENT_ID}, m.id, 1, 0, status, case status when 'assigned' then agent_id end,
     case status when 'pool' then ${POOL_ID} end, 'rules', rule_name, ruleset_version, why, follow_up,
     case status when 'assigned' then at + interval '15 minutes' end, at from made m, model x`,
  `insert into routing_decisions (assignment_id, ruleset_version, facts, facts_hash, roster_hash, roster, explanation)
   select ${ASSIGNMENT_ID}, ruleset_version, facts, facts_hash, roster_hash, roster, explanation
   from made m, model x`,
  `insert into lead_waits (lead_id, round, rule_name, ruleset_version, since, decided_at, due_at, ends_at, reason, facts, facts_hash,
     roster_hash, roster, explanation)
   select m.id, 1, rule_name, ruleset_version, at, at, at + interval '1 hour', at + interval '1 hour', why, facts, facts_hash,
     roster_hash, roster, explanation from made m, model x where has_waited`,
  `insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
   select ${EVENT_ID}, m.id, x.client_id, e.type, e.sequence, ${EVENT}, at from model x, ${EVENTS} where ${CREATES_AN_EVENT}`,
  `insert into event_feed (client_id, type, event_id, at, integration_ref)
   select x.client_id, e.type, ${EVENT_ID}, at, 'crm-' || n from model x, ${EVENTS} where ${CREATES_AN_EVENT} order by n, e.sequence`,
  `insert into webhook_deliveries (event_id, endpoint_id, lead_id, status, attempts, created_at, finished_at)
   select ${EVENT_ID}, ${ENDPOINT_ID}, m.id, delivery, case delivery when 'failed' then 8 when 'delivered' then 1 else 0 end,
     at, case when delivery in ('failed', 'delivered') then at + interval '1 second' end from ${EVENTS} where ${CREATES_AN_EVENT}`,
  `insert into webhook_attempts (event_id, endpoint_id, at, status_code, latency_ms, response_head)
   select ${EVENT_ID}, ${ENDPOINT_ID}, at + try * interval '1 second', case delivery when 'failed' then 500 else 200 end, 12, 'ok'
   from ${EVENTS}, generate_series(1, case delivery when 'failed' then 8 when 'delivered' then 1 else 0 end) try
   where ${CREATES_AN_EVENT} order by n`,
  `insert into dncr_checks (id, client_id, requested_at, finished_at, outcome, fresh, number_hashes, invalid, from_cache, from_registry, not_registered)
   select md5('check' || n)::uuid, x.client_id, at, at, 'answered', false, array[sha256(phone::bytea)], 0, 0, 1, 1
   from made m, model x where n % 4 = 0`,
  `insert into oauth_tokens (token_hash, client_id, created_at, expires_at)
   select sha256(n::text::bytea), x.client_id, at, at + interval '1 hour' from made m, model x where n % 100 = 0`,
];
