import { Migration } from '@mikro-orm/migrations';

/**
 * The queue of leads that wait, what wakes it, and who works on it. The leads that wait already come into it as due, so
 * that each is decided again and gets its candidates.
 */
export class WaitingLeads extends Migration {
  override up(): void {
    this.addSql(`
create table waiting_leads (
  lead_id uuid primary key references leads,
  since timestamptz not null,
  due_at timestamptz not null,
  team_ids uuid[] not null,
  agent_ids uuid[] not null
);
create index waiting_leads_order on waiting_leads (since, lead_id);
create index waiting_leads_due on waiting_leads (due_at);
create table waiting_wakeups (
  id bigint generated always as identity primary key,
  agent_id uuid references agents
);
create table worker_leases (
  name text primary key,
  holder uuid not null,
  expires_at timestamptz not null
);
insert into waiting_leads (lead_id, since, due_at, team_ids, agent_ids)
select l.id, min(w.since), now(), '{}', '{}' from leads l join lead_waits w on w.lead_id = l.id and w.round = l.round
where l.assignment_status = 'pending' group by l.id;
insert into waiting_wakeups (agent_id) select null where exists (select from waiting_leads);
`);
  }
}
