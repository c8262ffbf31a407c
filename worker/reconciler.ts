import type { ActivityContext } from '../activities/context.ts';
import { remindOverdue } from '../store/leads/outbox.ts';

/**
 * Writes an outbox row for each lead whose workflow is late: pending too long, an ended follow-up or merge window, an
 * overdue delivery. It ignores what the outbox holds, and works after Temporal lost its own store.
 *
 * The longer a lead is overdue, the rarer its reminders, and few wait at a time. In a backlog of many thousands they would
 * otherwise take the capacity that Temporal needs for the backlog itself. The returned function looks for overdue leads at
 * each call while there are more of them than reminders may wait, else three times in `RECONCILE_AFTER_SECONDS`. It
 * returns how many rows were written.
 */
export function createReconciler({
  config,
  database,
  now,
}: ActivityContext): () => Promise<number> {
  let quietUntilMs = 0;
  return async () => {
    const at = now();
    if (performance.now() < quietUntilMs) return 0;
    const overdueBefore = new Date(at.getTime() - config.reconcileAfterMs);
    const { reminded, isFull } = await remindOverdue(database, { now: at, overdueBefore });
    quietUntilMs = isFull ? 0 : performance.now() + config.reconcileAfterMs / 3;
    return reminded;
  };
}
