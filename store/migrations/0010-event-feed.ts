import { Migration } from '@mikro-orm/migrations';

/** Written since the migration began; a writer's transaction takes seconds. */
const MEANWHILE = `created_at > now() - interval '1 day'
  and not exists (select from event_feed f where f.event_id = id)`;

const positionEvents = (condition: string) => `
insert into event_feed (client_id, type, event_id)
select client_id, type, id from webhook_events where ${condition} order by created_at, lead_id, sequence;`;

/**
 * The order in which integrators read events, and three more types of them. Events of before get their
 * positions first, while new ones are written; only those of the meantime get theirs under the table's lock.
 */
export class EventFeed extends Migration {
  override up(): void {
    this.addSql(`
create table event_feed (
  position bigint generated always as identity primary key,
  client_id uuid not null,
  type text not null,
  event_id text not null
);
create table event_feed_queue (
  number bigint generated always as identity primary key,
  event_id text not null
);
${positionEvents('true')}
alter table event_feed add unique (event_id);
create index event_feed_client on event_feed (client_id, type, position);
analyze event_feed;
alter table webhook_events drop constraint webhook_events_type_check;
alter table webhook_events add constraint webhook_events_type_check
  check (type in ('lead.created', 'lead.assigned', 'lead.pooled', 'lead.unassigned', 'lead.responded')) not valid;
create function queue_events() returns trigger language plpgsql as $$
begin
  insert into event_feed_queue (event_id) select id from inserted order by created_at, lead_id, sequence;
  return null;
end $$;
create trigger webhook_events_queue after insert on webhook_events
  referencing new table as inserted for each statement execute function queue_events();
${positionEvents(MEANWHILE)}
`);
  }
}
