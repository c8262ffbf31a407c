import type { Client } from '@temporalio/client';
import type { ActivityContext } from '../activities/context.ts';
import { findPlaceable, placeWaitingLeads } from '../activities/leads/place-waiting-leads.ts';
import {
  forgetWakeup,
  isWokenAgain,
  readQueue,
  readWakeup,
  type QueuedLead,
  type Wakeup,
} from '../store/assignment/waiting-leads.ts';
import type { Sql } from '../store/db/database.ts';
import { holdLease } from '../store/db/leases.ts';
import { awaitRefresh } from '../temporal/lead-lifecycle-client.ts';
import type { OutboxRow } from '../store/leads/outbox.ts';
import { signalRows, type RelayContext } from './outbox-relay.ts';

/** Leads that are looked at together, and those of them that one transaction decides at most. */
const LOOKED_AT = 100;
const PLACED = 10;

const LEASE_SECONDS = 10;

/**
 * Places the leads that wait for an agent: one worker does it for all, under a lease, in order of arrival. Woken by
 * whatever frees an agent, or by a wait that is due, it looks through the queue from its head; woken again, it begins
 * again, so that the agent is offered to whoever came first. Returns how many leads it decided.
 */
export function createQueueOwner(
  context: ActivityContext,
  announce: (rows: readonly OutboxRow[]) => Promise<void>,
) {
  const { database, newId, now } = context;
  const lease = { name: 'waiting leads', holder: newId(), seconds: LEASE_SECONDS };

  return async function placeAll(): Promise<number> {
    const wakeup = await readWakeup(database, now());
    if (!wakeup || !(await holdLease(database, lease))) return 0;
    let decided = 0;
    let last: QueuedLead | null = null;
    do {
      const looked: QueuedLead[] = await readQueue(database, wakeup, last, LOOKED_AT);
      const placed = await placeSome(looked, wakeup, last === null);
      decided += placed.decided;
      if (!placed.isDone) return decided;
      last = looked.at(-1) ?? null;
    } while (last);
    await forgetWakeup(database, wakeup);
    return decided;
  };

  /** Done, unless an agent was freed meanwhile, whom the head of the queue is offered first, or the lease was lost. */
  async function placeSome(looked: readonly QueuedLead[], wakeup: Wakeup, isHead: boolean) {
    let rest = wakeup.isForAll ? looked : await findPlaceable(context, looked);
    let decided = 0;
    let isFirst = isHead;
    while (rest.length > 0) {
      if (!(await holdLease(database, lease))) return { decided, isDone: false };
      const areOthersFirst = isFirst ? async () => false : (sql: Sql) => isWokenAgain(sql, wakeup);
      const batch = rest.slice(0, PLACED);
      const { tried, announced } = await placeWaitingLeads(context, batch, areOthersFirst);
      await announce(announced);
      decided += announced.length;
      if (tried === 0) return { decided, isDone: false };
      rest = rest.slice(tried);
      isFirst = false;
    }
    return { decided, isDone: true };
  }
}

/** Signals the workflows, and waits for the last of them: a lead that is created meanwhile has few before it. */
export function createAnnouncer(context: RelayContext, client: Client) {
  return async (rows: readonly OutboxRow[]): Promise<void> => {
    const newest = (await signalRows(context, client, rows)).at(-1);
    if (newest) await awaitRefresh(client, newest.leadId);
  };
}
