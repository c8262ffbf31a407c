import { Migration } from '@mikro-orm/migrations';

/** Hours in place of an agent's usual ones from the date `starts` to the date `ends`, both included. */
export class DatedHours extends Migration {
  override up(): void {
    this.addSql(`
create table agent_dated_hours (
  agent_id uuid not null references agents,
  starts text not null,
  ends text not null,
  working_hours jsonb not null,
  primary key (agent_id, starts, ends)
);
`);
  }
}
