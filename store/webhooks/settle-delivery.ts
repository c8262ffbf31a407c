import type { Sql } from '../database.ts';
import type { DeliveryKey } from './load-delivery.ts';

/** A delivery that comes to nothing without a try. */
export async function giveUpDelivery(
  sql: Sql,
  { eventId, endpointId }: DeliveryKey,
  reason: string,
  now: Date,
): Promise<void> {
  await sql.query(
    `update webhook_deliveries
     set status = 'failed', next_attempt_at = null, failure_reason = $3, finished_at = $4
     where event_id = $1 and endpoint_id = $2 and status = 'pending'`,
    [eventId, endpointId, reason, now],
  );
}

/** A delivery that waits for its turn is in good hands: whoever looks for forgotten ones passes it by. */
export async function postponeDelivery(
  sql: Sql,
  { eventId, endpointId }: DeliveryKey,
  now: Date,
  until: Date,
): Promise<void> {
  await sql.query(
    `update webhook_deliveries
     set started_at = coalesce(started_at, $3), next_attempt_at = $4
     where event_id = $1 and endpoint_id = $2 and status = 'pending'`,
    [eventId, endpointId, now, until],
  );
}
