import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ActivityContext } from '../activities/context.ts';
import {
  deleteOutboxRows,
  leaseBulkBatch,
  leaseOutboxBatch,
  type OutboxRow,
} from '../store/leads/outbox.ts';
import { findLeadsWithDueDeliveries } from '../store/webhooks/deliveries.ts';
import { signalLead } from '../temporal/lead-lifecycle-client.ts';
import type { LeadEvent } from '../workflows/contracts/lead-lifecycle.ts';

/** Small: an overloaded server would serve none of a large batch before its deadline. */
const BATCH = 10;

export type RelayContext = Pick<ActivityContext, 'database' | 'now'> & { log: Logger };

/** Any number of relays may run. A row whose signal fails is due again later. */
export async function relayOutbox(context: RelayContext, client: Client): Promise<number> {
  const rows = await leaseOutboxBatch(context.database, context.now(), BATCH);
  return (await signalRows(context, client, rows)).length;
}

const MOST_UNDER_WAY = 20;
/** A lead that waits longer for a slow endpoint no longer delays the others. */
const UNDER_WAY_MS = 5000;

/** All leads share a task queue, so that a lead follows once the due deliveries of an earlier one were attempted. */
export function createBulkRelay(context: RelayContext, client: Client): () => Promise<number> {
  const { database, now } = context;
  let underWay = new Map<string, number>();

  async function forgetAttempted(at: Date): Promise<void> {
    if (underWay.size === 0) return;
    const due = new Set(await findLeadsWithDueDeliveries(database, [...underWay.keys()], at));
    const isUnderWay = ([leadId, sinceMs]: [string, number]) =>
      due.has(leadId) && at.getTime() - sinceMs < UNDER_WAY_MS;
    underWay = new Map([...underWay].filter(isUnderWay));
  }

  return async () => {
    const at = now();
    await forgetAttempted(at);
    const room = Math.min(BATCH, MOST_UNDER_WAY - underWay.size);
    if (room <= 0) return 0;
    const rows = await leaseBulkBatch(database, at, room);
    const signalled = await signalRows(context, client, rows);
    for (const { leadId } of signalled) underWay.set(leadId, at.getTime());
    return signalled.length;
  };
}

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
