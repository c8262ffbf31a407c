import { Migration } from '@mikro-orm/migrations';

/** The trace of the request that last changed a lead, and of each event. Adding these columns rewrites no row. */
export class TraceContext extends Migration {
  override up(): void {
    this.addSql(`
alter table leads add column traceparent text;
alter table webhook_events add column traceparent text;
`);
  }
}
