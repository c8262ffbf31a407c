import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ActivityContext } from '../activities/context.ts';
import { deleteOutboxRows, leaseOutboxBatch, type OutboxRow } from '../store/leads/outbox.ts';
import { signalLead } from '../temporal/lead-lifecycle-client.ts';
import type { LeadEvent } from '../workflows/contracts/lead-lifecycle.ts';

/** Small: an overloaded server would serve none of a large batch before its deadline. */
const BATCH = 10;

export type RelayContext = Pick<ActivityContext, 'database' | 'now'> & { log: Logger };

/**
 * Signals the workflows of due outbox rows that no API process has signalled. Any number of relays may run. A row
 * whose signal fails is due again later. Returns how many were signalled.
 */
export async function relayOutbox(context: RelayContext, client: Client): Promise<number> {
  const rows = await leaseOutboxBatch(context.database, context.now(), BATCH);
  return (await signalRows(context, client, rows)).length;
}

/** Signals the workflows of leased rows. Deletes and returns the rows whose workflow took the signal. */
export async function signalRows(
  { database, log }: RelayContext,
  client: Client,
  rows: readonly OutboxRow[],
): Promise<OutboxRow[]> {
  const signals = rows.map(({ leadId, event }) => signalLead(client, leadId, event as LeadEvent));
  const results = await Promise.allSettled(signals);
  const signalled = rows.filter((_row, index) => results[index]?.status === 'fulfilled');
  const ids = signalled.map(({ id }) => id);
  if (ids.length > 0) await deleteOutboxRows(database, ids);
  const waiting = rows.length - signalled.length;
  if (waiting > 0)
    log.warn({ waiting }, 'Temporal does not take signals; leads wait in the outbox');
  return signalled;
}
