import { Migration } from '@mikro-orm/migrations';

/**
 * Deliveries of an erased lead, whose answers are not kept: an attempt that is being recorded reads it from the row
 * that it locks. Answers that arrived in the moment of an earlier erasure go.
 */
export class ErasedDeliveries extends Migration {
  override up(): void {
    this.addSql(`
alter table webhook_deliveries add column is_erased boolean not null default false;
update webhook_attempts a set response_head = null
from webhook_deliveries d join leads l on l.id = d.lead_id
where (d.event_id, d.endpoint_id) = (a.event_id, a.endpoint_id)
  and l.erased_at is not null and a.response_head is not null;
`);
  }
}
