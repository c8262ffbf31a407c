import { Migration } from '@mikro-orm/migrations';

/** Deliveries that were given up are listed newest first; of years of them a few are asked for. */
export class FailedDeliveries extends Migration {
  override up(): void {
    this.addSql(`
create index webhook_deliveries_failed_made on webhook_deliveries (created_at) where status = 'failed';
`);
  }
}
