import { Migration } from '@mikro-orm/migrations';

/** When an endpoint last failed, and why a delivery failed for good. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
alter table webhook_endpoints add column last_failure_at timestamptz;
alter table webhook_deliveries add column failure_reason text;
create index webhook_deliveries_failed on webhook_deliveries (finished_at) where status = 'failed';
`);
  }

  override down(): void {
    this.addSql(`
drop index webhook_deliveries_failed;
alter table webhook_deliveries drop column failure_reason;
alter table webhook_endpoints drop column last_failure_at;
`);
  }
}
