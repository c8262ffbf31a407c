import { Migration } from '@mikro-orm/migrations';

/** What operators hand over, and the outcome for each lead. */
export class HandOvers extends Migration {
  override up(): void {
    this.addSql(`
create table hand_overs (
  id uuid primary key,
  target text not null check (target in ('agent', 'pool', 'rules')),
  agent_id uuid references agents,
  pool_id uuid references list_entries,
  released_agent_id uuid references agents,
  only_waiting boolean not null,
  moves_personal boolean not null,
  author text not null,
  reason text,
  requested_at timestamptz not null,
  check ((target = 'agent') = (agent_id is not null)),
  check ((target = 'pool') = (pool_id is not null))
);
alter table assignments add column hand_over_id uuid references hand_overs;
create unique index assignments_hand_over on assignments (hand_over_id, lead_id) where hand_over_id is not null;
alter table assignments drop constraint assignments_decided_by_check;
alter table assignments add constraint assignments_decided_by_check
  check (decided_by in ('rules', 'listing', 'assigned_by', 'follow_up', 'claim', 'operator')) not valid;
`);
  }
}
