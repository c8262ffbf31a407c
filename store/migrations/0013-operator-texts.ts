import { Migration } from '@mikro-orm/migrations';

/**
 * One table for what operators write about leads, with the reasons of hand-overs so far. The reason of a request
 * that moved no lead is shown nowhere and leads to no person: it goes. No statistics of the texts are taken, since
 * those of a table stay when its last row is deleted. The kinds of notes are known ones.
 */
export class OperatorTexts extends Migration {
  override up(): void {
    this.addSql(`
create table operator_texts (
  id uuid primary key,
  lead_id uuid references leads,
  hand_over_id uuid unique references hand_overs,
  author text not null,
  written_at timestamptz not null,
  text text not null,
  check (num_nonnulls(lead_id, hand_over_id) > 0)
);
create index operator_texts_lead on operator_texts (lead_id);
alter table operator_texts alter column text set statistics 0;
alter table operator_texts set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0);
insert into operator_texts (id, hand_over_id, author, written_at, text)
select gen_random_uuid(), id, author, requested_at, reason from hand_overs h
where reason is not null and (released_agent_id is not null
  or exists (select from assignments where hand_over_id = h.id)
  or exists (select from lead_waits where hand_over_id = h.id));
update hand_overs set reason = null where reason is not null;
alter table timeline_notes add constraint timeline_notes_kind_check
  check (kind in ('created', 'assigned', 'pool', 'unassigned', 'waiting', 'follow_up', 'response', 'updated',
    'merged', 'resolved')) not valid;
`);
  }
}
