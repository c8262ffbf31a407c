import type { ActivityContext } from '../activities/context.ts';
import { remindOverdue } from '../store/leads/outbox.ts';

/**
 * Writes an outbox row for each lead whose workflow is late: pending too long, an ended follow-up or merge window, an
 * overdue delivery. It ignores what the outbox holds, and works after Temporal lost its own store.
 *
 * Reminders get rarer the longer a lead is overdue, and few wait at a time, to leave Temporal's capacity to a backlog.
 * The returned function looks for overdue leads at each call while more are overdue than may wait, else three times
 * in `RECONCILE_AFTER_SECONDS`. It returns how many rows were written.
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
