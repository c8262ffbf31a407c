import { Migration } from '@mikro-orm/migrations';

/** The relay reads the oldest rows of each kind of event (store/leads/outbox.ts). */
export class OutboxTurns extends Migration {
  override up(): void {
    this.addSql(`
create index lead_outbox_due_by_event on lead_outbox (event, next_attempt_at);
`);
  }
}
