import { Migration } from '@mikro-orm/migrations';

/** Events of endpoints, which no lead counts; and a way to the last day's attempts. */
export class EndpointEvents extends Migration {
  override up(): void {
    this.addSql(`
alter table webhook_events alter column sequence drop not null;
alter table webhook_events drop constraint webhook_events_type_check;
alter table webhook_events add constraint webhook_events_type_check
  check (type in ('lead.created', 'lead.assigned', 'lead.pooled', 'lead.unassigned', 'lead.responded',
    'endpoint.failing', 'endpoint.disabled')) not valid;
create index webhook_attempts_at on webhook_attempts using brin (at);
`);
  }
}
