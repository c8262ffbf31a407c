import { Migration } from '@mikro-orm/migrations';

/**
 * Since when a lead is where it is, by which lists are ordered, and indexes of lists of leads and deliveries. A worker of the former release moves leads without it: until
 * they move again they are listed where they were before.
 */
export class PlacedLeads extends Migration {
  override up(): void {
    this.addSql(`
alter table leads add column placed_at timestamptz not null default now(), add column placed_by_rule text;
update leads l set placed_at = placed.at, placed_by_rule = placed.rule_name from (
  select l.id, case when l.assignment_status = 'pending' then l.updated_at else coalesce(a.decided_at, l.created_at) end as at,
    case when l.assignment_status <> 'pending' then left(a.rule_name, 255) end as rule_name
  from leads l left join lateral (
    select decided_at, rule_name from assignments where lead_id = l.id order by round desc, move desc limit 1) a on true) placed
where l.id = placed.id;
drop index leads_review;
create index leads_review on leads (placed_at, id) where intake_unresolved is not null;
create index leads_placed on leads (placed_at, id);
create index leads_placed_status on leads (assignment_status, placed_at, id);
create index leads_placed_owner on leads (owner_id, placed_at, id) where owner_id is not null;
create index leads_placed_source on leads (source_id, placed_at, id) where source_id is not null;
create index leads_placed_client on leads (client_id, placed_at, id);
create index leads_placed_rule on leads (placed_by_rule, placed_at, id) where placed_by_rule is not null;
create index leads_responded on leads (agent_responded_at) where agent_responded_at is not null;
create index webhook_events_type on webhook_events (type, created_at, id);
create index leads_unanswered on leads (placed_at, id)
  where agent_responded_at is null and assignment_status <> 'unassigned';
`);
  }
}
