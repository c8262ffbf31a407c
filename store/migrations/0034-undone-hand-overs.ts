import { Migration } from '@mikro-orm/migrations';

/**
 * Hand-overs that take another one back, and those that lift every exclusion. A worker of the former release
 * carries them out as ordinary ones until it is replaced.
 */
export class UndoneHandOvers extends Migration {
  override up(): void {
    this.addSql(`
alter table hand_overs
  add column undoes uuid references hand_overs (id),
  add column undone_lead_id uuid references leads (id),
  add column only_unchanged_since timestamptz,
  add column lifts_exclusion boolean not null default false;
create index hand_overs_undoes on hand_overs (undoes) where undoes is not null;
`);
  }
}
