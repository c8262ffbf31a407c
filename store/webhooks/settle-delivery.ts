import type { Sql } from '../db/database.ts';
import type { DeliveryKey } from './load-delivery.ts';

interface Generation extends DeliveryKey {
  generation: number;
}

/** A delivery that fails for good without an attempt. */
export async function failDelivery(
  sql: Sql,
  { eventId, endpointId, generation }: Generation,
  reason: string,
  now: Date,
): Promise<void> {
  await sql.query(
    `update webhook_deliveries
     set status = 'failed', next_attempt_at = null, failure_reason = $4, finished_at = $5
     where event_id = $1 and endpoint_id = $2 and generation = $3 and status = 'pending'`,
    [eventId, endpointId, generation, reason, now],
  );
}

/** A delivery that waits for its turn is not overdue: the reconciler passes it by. */
export async function postponeDelivery(
  sql: Sql,
  { eventId, endpointId, generation }: Generation,
  until: Date,
): Promise<void> {
  await sql.query(
    `update webhook_deliveries set next_attempt_at = $4
     where event_id = $1 and endpoint_id = $2 and generation = $3 and status = 'pending'`,
    [eventId, endpointId, generation, until],
  );
}
