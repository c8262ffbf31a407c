import { Migration } from '@mikro-orm/migrations';

/** Absences of agents and holidays of the business; `starts` and `ends` are kept as they were given. */
export class Calendars extends Migration {
  override up(): void {
    this.addSql(`
create table agent_absences (
  agent_id uuid not null references agents,
  starts text not null,
  ends text not null,
  note text,
  primary key (agent_id, starts, ends)
);
create table holidays (
  name text not null,
  starts text not null,
  ends text not null,
  primary key (name, starts, ends)
);
`);
  }
}
