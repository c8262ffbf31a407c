import { Migration } from '@mikro-orm/migrations';

/**
 * What `leadctl report response` and the dashboard read. An assignment of before has `-infinity` for a due
 * time: whether it started a clock follows from its terms. Agent enquiries are not in it, as in `lead_volume`.
 */
export class ResponseReport extends Migration {
  override up(): void {
    this.addSql(`
alter table assignments add column follow_up_due_at timestamptz default '-infinity';
alter table assignments alter column follow_up_due_at drop default;
create view lead_assignments as
select lead_id, each.created_at, source_id, s.name as source, round, status, agent_id, g.email as agent,
  rule_name, decided_by, decided_at, due_at,
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
    lead(a.decided_at) over in_order as ended_at
  from leads l left join assignments a on a.lead_id = l.id
  where not l.is_agent_enquiry
  window in_order as (partition by l.created_at, l.id order by a.round, a.move)) each
left join agents g on g.id = agent_id
left join list_entries s on s.id = source_id;
`);
  }
}
