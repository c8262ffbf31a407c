import { Migration } from '@mikro-orm/migrations';

/**
 * A delivery runs within the workflow of its lead, which replaces `started_at`. `generation` counts how often a delivery was made due again (`webhook resend`, an endpoint that
 * is switched on), so that an activity of an earlier generation leaves it to the newer one. A column may go
 * here, since no version before this one was released.
 */
export class DeliveryGenerations extends Migration {
  override up(): void {
    this.addSql(`
alter table webhook_deliveries drop column started_at, add column generation int not null default 0;
create index webhook_deliveries_open_endpoint on webhook_deliveries (endpoint_id) where status = 'pending';
`);
  }

  override down(): void {
    this.addSql(`
drop index webhook_deliveries_open_endpoint;
alter table webhook_deliveries drop column generation, add column started_at timestamptz;
`);
  }
}
