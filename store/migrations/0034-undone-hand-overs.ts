import { Migration } from '@mikro-orm/migrations';

/**
 * Hand-overs that take another one back, and those that lift every exclusion. A worker of the former release
 * carries them out as ordinary ones until it is replaced. In the report a lead that an operator sent back and that waits is
 * pending again: the entry that ends its assignment is no outcome.
 */
export class UndoneHandOvers extends Migration {
  override up(): void {
    this.addSql(`
alter table hand_overs
  add column undoes uuid,
  add column undone_lead_id uuid references leads,
  add column only_unchanged_since timestamptz,
  add column lifts_exclusion boolean not null default false;
create index hand_overs_undoes on hand_overs (undoes) where undoes is not null;
create or replace view lead_assignments as
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
`);
  }
}
