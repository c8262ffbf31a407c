import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { createFailureLog } from '../../platform/failure-log.ts';
import type { Database } from '../../store/db/database.ts';
import { deleteOutboxRows, OUTBOX_LEASE_MS, renewOutboxLeases } from '../../store/leads/outbox.ts';
import { signalLead } from '../../temporal/lead-lifecycle-client.ts';
import type { LeadEvent } from '../../workflows/contracts/lead-lifecycle.ts';

export type LeadDispatcher = ReturnType<typeof createLeadDispatcher>;

/** Separate slots, so that new leads and changes do not wait for each other. */
const CONCURRENT_SIGNALS = { newLeads: 16, changes: 4 };
const MAX_WAITING = 2000;
const RENEW_EVERY_MS = OUTBOX_LEASE_MS / 3;
const DELETE_EVERY_MS = 50;

/** One process at a time signals an outbox row: this one leases its rows, and skips those taken by a relay. */
export function createLeadDispatcher(options: {
  client: Client;
  database: Database;
  log: Logger;
  now: () => Date;
  signalDeadlineMs?: number;
}) {
  const { client, database, log, now, signalDeadlineMs } = options;
  const newLeads = new PQueue({ concurrency: CONCURRENT_SIGNALS.newLeads });
  const changes = new PQueue({ concurrency: CONCURRENT_SIGNALS.changes });
  const held = new Set<number>();
  const signalled: number[] = [];
  let deleting: Promise<void> | null = null;
  let renewal: NodeJS.Timeout | null = null;
  const failures = createFailureLog<{ leadId: string; reason: string }>({
    nowMs: () => performance.now(),
    writeFailure: (fields) => log.warn(fields, 'left to the relay'),
    writeEnd: (fields) => log.info(fields, 'signals arrive again'),
  });

  async function dispatch(leadId: string, event: LeadEvent, outboxId: number): Promise<void> {
    if (!held.has(outboxId)) return;
    try {
      await signalLead(client, leadId, event, signalDeadlineMs);
      signalled.push(outboxId);
      failures.succeeded();
    } catch (error) {
      failures.failed({ leadId, reason: (error as Error).name });
    }
    held.delete(outboxId);
    void deleteSignalled();
  }

  function deleteSignalled(): Promise<void> {
    deleting ??= deleteAll().finally(() => (deleting = null));
    return deleting;
  }

  async function deleteAll(): Promise<void> {
    while (signalled.length > 0) {
      await sleep(DELETE_EVERY_MS);
      await deleteOutboxRows(database, signalled.splice(0)).catch((error: unknown) =>
        log.warn({ reason: (error as Error).name }, 'signalled outbox rows were not deleted'),
      );
    }
  }

  function renewWhileHeld(): void {
    if (renewal !== null || held.size === 0) return;
    renewal = setTimeout(() => {
      void renew(OUTBOX_LEASE_MS).finally(() => {
        renewal = null;
        renewWhileHeld();
      });
    }, RENEW_EVERY_MS);
  }

  async function renew(leaseMs: number): Promise<void> {
    const ids = [...held];
    try {
      const until = new Date(now().getTime() + leaseMs);
      const ours = new Set(await renewOutboxLeases(database, ids, until));
      for (const id of ids) if (!ours.has(id)) held.delete(id);
    } catch (error) {
      log.warn({ reason: (error as Error).name }, 'leases on outbox rows were not renewed');
    }
  }

  return {
    /** If its queue is full or the signal fails, the relay takes the outbox row. */
    signalLead(leadId: string, event: LeadEvent, outboxId: number | null): void {
      const queue = event === 'created' ? newLeads : changes;
      if (outboxId === null || queue.size >= MAX_WAITING) return;
      held.add(outboxId);
      void queue.add(() => dispatch(leadId, event, outboxId));
      renewWhileHeld();
    },
    get waiting(): number {
      return newLeads.size + newLeads.pending + changes.size + changes.pending;
    },
    async drain(): Promise<void> {
      for (const queue of [newLeads, changes]) queue.clear();
      if (renewal) clearTimeout(renewal);
      await Promise.all([newLeads.onIdle(), changes.onIdle()]);
      failures.flush();
      await deleteSignalled();
      if (held.size > 0) await renew(0);
      held.clear();
    },
  };
}
