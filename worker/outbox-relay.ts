import type { Client } from '@temporalio/client';
import { deleteOutboxRows, leaseOutboxBatch } from '../store/leads/outbox.ts';
import type { OutboxRow } from '../store/leads/outbox.ts';
import type { LeadEventSignal } from '../workflows/contracts/lead-lifecycle.ts';
import type { ActivityContext } from '../activities/context.ts';
import { signalLead } from '../temporal/lead-lifecycle-client.ts';

/** A server that is behind serves few in time, and more at once only make each one too late. */
const BATCH = 10;

/**
 * Signals the lead workflows that no API process signalled: rows that are due by now. Any number of relays
 * may run; a row whose signal fails stays and is tried again later. Returns how many were signalled.
 */
export async function relayOutbox(context: ActivityContext, client: Client): Promise<number> {
  const rows = await leaseOutboxBatch(context.database, context.now(), BATCH);
  const outcomes = await Promise.allSettled(rows.map((row) => signal(client, row)));
  const done = rows.filter((_row, index) => outcomes[index]?.status === 'fulfilled');
  if (done.length > 0)
    await deleteOutboxRows(
      context.database,
      done.map((row) => row.id),
    );
  if (done.length < rows.length) {
    context.log.warn(
      { waiting: rows.length - done.length },
      'Temporal does not take leads; they wait in the outbox',
    );
  }
  return done.length;
}

async function signal(client: Client, row: OutboxRow): Promise<void> {
  await signalLead(client, row.leadId, row.event as LeadEventSignal['event']);
}
