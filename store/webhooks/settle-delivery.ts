import type { Sql } from '../db/database.ts';
import type { DeliveryKey } from './load-delivery.ts';

interface Generation extends DeliveryKey {
  generation: number;
}

/** A delivery that fails for good without an attempt. */
export async function failDelivery(
  sql: Sql,
  delivery: Generation,
  reason: string,
  now: Date,
): Promise<void> {
  await sql.query(
    `update webhook_deliveries
     set status = 'failed', next_attempt_at = null, failure_reason = :reason, finished_at = :now
     where event_id = :eventId and endpoint_id = :endpointId and generation = :generation and status = 'pending'`,
    { ...delivery, reason, now },
  );
}

/** A delivery that waits for its turn is not overdue: the reconciler passes it by. */
export async function postponeDelivery(sql: Sql, delivery: Generation, until: Date): Promise<void> {
  await sql.query(
    `update webhook_deliveries set next_attempt_at = :until
     where event_id = :eventId and endpoint_id = :endpointId and generation = :generation and status = 'pending'`,
    { ...delivery, until },
  );
}
