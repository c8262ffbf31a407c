import { Migration } from '@mikro-orm/migrations';

/** A decision's roster stands whole in its own row; columns and an index that no code reads go. */
export class WholeRosters extends Migration {
  override up(): void {
    for (const table of ['routing_decisions', 'lead_waits'])
      this.addSql(`
update ${table} d set roster = whole_roster(d.roster_numbers, r.roster) from rosters r where r.hash = d.roster_base;
alter table ${table} drop column roster_base, drop column roster_numbers;
`);
    this.addSql(`
alter table routing_decisions alter column roster set not null;
drop table rosters;
drop function whole_roster;
delete from waiting_wakeups where agent_id is null;
alter table waiting_wakeups alter column agent_id set not null;
alter table team_members drop column credit;
drop index lead_outbox_due;
`);
  }
}
