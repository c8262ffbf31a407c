import { Migration } from '@mikro-orm/migrations';

/**
 * The time and the `integrationRef` by which events are looked up. A worker of the former release gives positions
 * without them; then the time is that of the position.
 */
export class FeedFilters extends Migration {
  override up(): void {
    this.addSql(`
alter table event_feed add column at timestamptz not null default now(), add column integration_ref text;
update event_feed f set at = timed.at, integration_ref = timed.ref from (
  select position, max(e.created_at) over (order by position) as at, e.body::json #>> '{data,integrationRef}' as ref
  from event_feed join webhook_events e on e.id = event_id) timed
where f.position = timed.position;
create index event_feed_at on event_feed (at, position);
create index event_feed_integration_ref on event_feed (client_id, integration_ref, type, position)
  where integration_ref is not null;
analyze event_feed;
`);
  }
}
