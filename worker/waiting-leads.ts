import type { Client } from '@temporalio/client';
import type { ActivityContext } from '../activities/context.ts';
import { isLocked, LOCK_TIMEOUT_MS } from '../app/assignment/transactions.ts';
import {
  findPlaceable,
  passOverLocked,
  placeWaitingLeads,
  type Placed,
} from '../app/assignment/waiting-leads.ts';
import { isConnectionError, toLogError } from '../platform/errors.ts';
import {
  forgetWakeup,
  isWokenAgain,
  postponeLead,
  QUEUE_LEASE,
  type QueuedLead,
  readQueue,
  readWakeup,
  type Wakeup,
} from '../store/leads/waiting-leads.ts';
import type { Sql } from '../store/db/database.ts';
import { holdLease } from '../store/db/leases.ts';
import { awaitRefresh } from '../temporal/lead-lifecycle-client.ts';
import type { OutboxRow } from '../store/leads/outbox.ts';
import { signalRows, type RelayContext } from './outbox-relay.ts';

const LOOKED_AT = 100;
const PLACED = 10;

const LEASE_SECONDS = 10;

const POSTPONED_MS = 60_000;

/** Under a lease. A freed agent or a due wait starts a pass from the head of the queue, also during a pass. */
export function createQueueOwner(
  context: ActivityContext & RelayContext,
  announce: (rows: readonly OutboxRow[]) => Promise<void>,
) {
  const { database, log, newId, now } = context;
  const lease = { name: QUEUE_LEASE, holder: newId(), seconds: LEASE_SECONDS };

  /** After an interrupted pass that placed no lead, the next one places at least a few. */
  let isImpatient = false;

  return async function placeAll(): Promise<number> {
    const wakeup = await readWakeup(database, now());
    if (!wakeup || !(await holdLease(database, lease))) return 0;
    const look: Look = {
      wakeup,
      decided: 0,
      isUnconditional: isImpatient,
      isBrokenOff: false,
      passedOver: new Set(),
    };
    let last: QueuedLead | null = null;
    do {
      const looked: QueuedLead[] = await readQueue(database, wakeup, last, LOOKED_AT);
      if (!last) look.isUnconditional = true;
      await placeSome(look, looked);
      last = looked.at(-1) ?? null;
      // Two workers could otherwise take the lease from each other before either reaches a lead.
      if (last && !(await holdLease(database, lease))) look.isBrokenOff = true;
    } while (last && !look.isBrokenOff);
    isImpatient = look.isBrokenOff && look.decided === 0;
    if (look.passedOver.size === 0 && !look.isBrokenOff) await forgetWakeup(database, wakeup);
    return look.decided;
  };

  async function placeSome(look: Look, looked: readonly QueuedLead[]): Promise<void> {
    if (looked.length === 0) return;
    let rest = await findPlaceable(context, looked).catch(() => looked);
    while (rest.length > 0 && !look.isBrokenOff) {
      if (!(await holdLease(database, lease))) look.isBrokenOff = true;
      else rest = rest.slice(await placeBatch(look, rest.slice(0, PLACED)));
    }
    if (!isImpatient) look.isUnconditional = false;
  }

  /** The head of the queue is first offered an agent freed since the pass began. */
  async function placeBatch(look: Look, batch: readonly QueuedLead[]): Promise<number> {
    const { isUnconditional, wakeup, passedOver } = look;
    const areOthersFirst = (sql: Sql) =>
      isUnconditional ? Promise.resolve(false) : isWokenAgain(sql, wakeup);
    const place = (sql: Sql) => placeWaitingLeads(context, sql, batch, passedOver, areOthersFirst);
    const placed = await database
      .transaction(place, { lockTimeoutMs: LOCK_TIMEOUT_MS })
      .catch((error: unknown) => passOver(look, batch, error));
    await announce(placed.announced);
    look.decided += placed.announced.length;
    look.isBrokenOff ||= placed.tried === 0;
    look.isUnconditional = false;
    return placed.tried;
  }

  /** A lead whose decision fails, or a team that stays locked, must not delay others. */
  async function passOver(
    look: Look,
    batch: readonly QueuedLead[],
    error: unknown,
  ): Promise<Placed> {
    const placed = { tried: batch.length, announced: [] };
    const [lead] = batch;
    if (isLocked(error)) passOverLocked(batch, [], look.passedOver);
    if (!lead || isLocked(error)) return placed;
    if (isConnectionError(error)) throw error;
    if (batch.length > 1) {
      for (const each of batch) if (!look.isBrokenOff) await placeBatch(look, [each]);
      return placed;
    }
    log.error(
      { leadId: lead.leadId, error: toLogError(error) },
      'a waiting lead could not be decided; it is tried again in a minute',
    );
    await postponeLead(database, lead.leadId, new Date(now().getTime() + POSTPONED_MS));
    return placed;
  }
}

interface Look {
  wakeup: Wakeup;
  decided: number;
  /** Ignores agents freed meanwhile: at the head, or after a pass without a result. */
  isUnconditional: boolean;
  /** The next pass begins at the head, or at another worker. */
  isBrokenOff: boolean;
  passedOver: Set<string>;
}

/** Waits for the last workflow, so that few are ahead of a lead that is created meanwhile. */
export function createAnnouncer(context: RelayContext, client: Client) {
  return async (rows: readonly OutboxRow[]): Promise<void> => {
    const newest = (await signalRows(context, client, rows)).at(-1);
    if (newest) await awaitRefresh(client, newest.leadId);
  };
}
