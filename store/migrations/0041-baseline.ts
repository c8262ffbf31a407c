import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { contentHash } from '../../domain/canonical-json.ts';

/** Tables and indexes, written by MikroORM's generator from the entities of the first version. */
const TABLES_SQL = readFileSync(new URL('./0041-baseline.sql', import.meta.url), 'utf8');

/** The schema of the first version. To take it back, restore a backup. */
export class Baseline extends Migration {
  override up(): void {
    for (const sql of [
      FUNCTIONS_SQL,
      TABLES_SQL,
      STORAGE_SQL,
      EVENT_QUEUE_SQL,
      VIEWS_SQL,
      RECORDS_SQL,
    ])
      this.addSql(sql);
  }
}

/**
 * `f_unaccent` folds case, accents and the Arabic letters that people write one for another, and drops vowel marks.
 * `unaccent` itself is only stable, which an index does not take; its dictionary is named here, so that this is
 * immutable in fact. `f_like` makes `%`, `_` and the backslash plain characters.
 */
const FUNCTIONS_SQL = `
create extension if not exists pg_trgm;
create extension if not exists unaccent;
create function f_unaccent(value text) returns text language sql immutable strict parallel safe as $$
  select translate(
    lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, NFKC))),
    'أإآٱىةؤئ' || 'ـًٌٍَُِّْٰ',
    'ااااي' || 'هوي')
$$;
create function f_like(value text) returns text
  language sql immutable strict parallel safe
as $$ select regexp_replace(value, '([\\\\%_])', '\\\\\\1', 'g') $$;
`;

/**
 * Updates of these rows stay on their page. Rows of the other tables are removed by erasures alone, so rarely that
 * Postgres would leave their old versions for years: it vacuums them at the first one. No statistics of operators' texts are
 * taken, since those of a table stay when its last row is deleted.
 */
const STORAGE_SQL = [
  'alter table leads set (fillfactor = 80);',
  ...['quota_usage', 'dncr_leases'].map((table) => `alter table ${table} set (fillfactor = 50);`),
  ...[
    'contacts',
    'contact_points',
    'submissions',
    'comments',
    'quiz_answers',
    'ad_platform_blocks',
    'webhook_attempts',
    'operator_texts',
  ].map(
    (table) =>
      `alter table ${table} set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0);`,
  ),
  'alter table operator_texts alter column text set statistics 0;',
].join('\n');

/** Events wait for their position in the feed, whoever writes them. */
const EVENT_QUEUE_SQL = `
create function queue_events() returns trigger language plpgsql as $$
begin
  insert into event_feed_queue (event_id) select id from inserted order by created_at, lead_id, sequence;
  return null;
end $$;
create trigger webhook_events_queue after insert on webhook_events
  referencing new table as inserted for each statement execute function queue_events();
`;

/**
 * What reports read. Agent enquiries are in none of the views: they are excluded from volume and from cost-per-lead (Create
 * response, isAgentEnquiry). Days are days in UTC. `cost_per_lead` also has days with a cost and no lead, and those with
 * leads that cost nothing known. In `lead_assignments` a due time of `-infinity` is that of an assignment from before due
 * times were kept: whether it started a clock follows from its terms. An entry that ends the assignment of a lead which
 * an operator sent back, and which waits, is no outcome.
 */
const VIEWS_SQL = `
create view lead_volume as
select (created_at at time zone 'UTC')::date as day, source_id, advertising_campaign_id, funnel_id,
  count(*) as leads,
  count(*) filter (where is_repeat_lead) as repeat_leads
from leads where not is_agent_enquiry
group by 1, 2, 3, 4;
create view cost_per_lead as
with volume as (
  select day, advertising_campaign_id, sum(leads)::bigint as leads
  from lead_volume where advertising_campaign_id is not null group by 1, 2)
select day, advertising_campaign_id, k.name as advertising_campaign, c.currency, c.amount,
  coalesce(v.leads, 0) as leads,
  round(c.amount / nullif(v.leads, 0), 2) as cost_per_lead
from advertising_costs c
full join volume v using (day, advertising_campaign_id)
join advertising_campaigns k on k.id = advertising_campaign_id;
create view lead_assignments as
select lead_id, each.created_at, source_id, s.name as source, round, case when not is_end then status end as status,
  agent_id, g.email as agent, case when not is_end then rule_name end as rule_name,
  case when not is_end then decided_by end as decided_by, decided_at, due_at,
  status = 'assigned' and nth_assigned = 1 as is_first,
  ended_at is null as is_last,
  case when status = 'assigned' then ended_at end as ended_at,
  case when status = 'assigned' and agent_responded_at >= decided_at
    and (ended_at is null or agent_responded_at < ended_at) then agent_responded_at end as responded_at,
  lead_id in (select w.lead_id from lead_waits w) as has_waited
from (
  select l.id as lead_id, l.created_at, l.source_id, l.agent_responded_at,
    a.round, a.status, a.agent_id, a.rule_name, a.decided_by, a.decided_at,
    case when a.follow_up_due_at <> '-infinity' then a.follow_up_due_at
      when a.status = 'assigned' and not l.is_personal and (a.follow_up ->> 'minutes')::float8 > 0
        and coalesce(a.follow_up ->> 'clock', 'elapsed') = 'elapsed' and a.follow_up_due_at is not null
      then a.decided_at + make_interval(secs => (a.follow_up ->> 'minutes')::float8 * 60) end as due_at,
    count(*) filter (where a.status = 'assigned') over in_order as nth_assigned,
    lead(a.decided_at) over in_order as ended_at,
    a.id is not null and a.status = 'unassigned' and a.hand_over_id is not null and exists (
      select from lead_waits w where w.lead_id = a.lead_id and w.hand_over_id = a.hand_over_id) as is_end
  from leads l left join assignments a on a.lead_id = l.id
  where not l.is_agent_enquiry
  window in_order as (partition by l.created_at, l.id order by a.round, a.move)) each
left join agents g on g.id = agent_id
left join list_entries s on s.id = source_id
where not is_end or ended_at is null;
`;

/**
 * The lists that the specification itself fixes: funnels with their stages, and lead types. `{company}`
 * stands for the company's name, which is configuration. There is always an active ruleset; the first one
 * finds nobody.
 */
const RECORDS_SQL = `
insert into reference_state (version) values (1);
insert into funnels (id, key, name)
select gen_random_uuid(), key, name from (values
  ('main', 'Main Sales'),
  ('leasing', 'Leasing'),
  ('show_room', 'Show Room'),
  ('pvh', 'PvH'),
  ('mortgages', 'Mortgages'),
  ('property_management', 'Property Management'),
  ('landlord_sellers_listings', 'Landlord/Sellers Listings'),
  ('{company}_the_agency', '{company} the Agency'),
  ('events', 'Events'),
  ('recruitment', 'Recruitment'),
  ('precision_inspections', 'Precision Inspections'),
  ('811_services', '811 services'),
  ('prism', 'Prism')
) as f (key, name);
insert into funnel_stages (id, funnel_id, position, name)
select gen_random_uuid(), f.id, s.position, s.name
from funnels f, (values (1, 'New'), (2, 'Contacted'), (3, 'Qualified'), (4, 'Closed')) as s (position, name);
insert into list_entries (id, list, key, name)
select gen_random_uuid(), 'leadType', lower(name), name from unnest(array[
  'Primary Buyer', 'Secondary Buyer', 'Primary Buyer and Secondary Buyer', 'Tenant', 'Landlord',
  'Broker', 'Seller', 'Owner', 'Mortgages'
]) as name;
insert into routing_rulesets (rules, content_hash, author, created_at)
values ('[]', '${contentHash([])}', 'installation', now());
insert into routing_activations (version, author, activated_at)
select version, author, created_at from routing_rulesets;
`;
