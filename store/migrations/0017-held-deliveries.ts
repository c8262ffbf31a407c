import { Migration } from '@mikro-orm/migrations';

/** Deliveries that wait until their client is active again. */
export class HeldDeliveries extends Migration {
  override up(): void {
    this.addSql(`
alter table webhook_deliveries drop constraint webhook_deliveries_status_check;
alter table webhook_deliveries add constraint webhook_deliveries_status_check
  check (status in ('pending', 'delivered', 'failed', 'held')) not valid;
create index webhook_deliveries_held on webhook_deliveries (endpoint_id) where status = 'held';
`);
  }
}
