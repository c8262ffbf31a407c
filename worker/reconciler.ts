import type { ActivityContext } from '../activities/context.ts';
import { remindOverdue } from '../store/leads/remind-overdue.ts';

/**
 * Finds leads whose workflow is late, whatever the outbox says: pending too long, a follow-up or a merge
 * window that ended, a delivery that is overdue. Each gets an outbox row, so that all of them are signalled
 * again after Temporal lost its own store. No lead is reminded twice within the same time, and the longer it
 * is overdue the rarer: in a backlog of many thousands the reminders would otherwise take the capacity that
 * Temporal needs for the backlog. Returns how many rows were written.
 */
export async function reconcile({ config, database, now }: ActivityContext): Promise<number> {
  const at = now();
  const overdueBefore = new Date(at.getTime() - config.reconcileAfterMs);
  return remindOverdue(database, { now: at, overdueBefore });
}
