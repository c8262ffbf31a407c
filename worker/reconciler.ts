import type { ActivityContext } from '../activities/context.ts';
import { remindOverdue } from '../store/leads/remind-overdue.ts';

/**
 * Writes an outbox row for each lead whose workflow is late, whatever the outbox says: pending too long, a
 * follow-up or a merge window that ended, a delivery that is overdue; also after Temporal lost its own store.
 * The longer a lead is overdue, the rarer its reminders: in a backlog of many thousands they would otherwise
 * take the capacity that Temporal needs for the backlog. Returns how many rows were written.
 */
export async function reconcile({ config, database, now }: ActivityContext): Promise<number> {
  const at = now();
  const overdueBefore = new Date(at.getTime() - config.reconcileAfterMs);
  return remindOverdue(database, { now: at, overdueBefore });
}
