import type { ActivityContext } from '../activities/context.ts';
import { remindOverdue } from '../store/leads/outbox.ts';

/**
 * Writes an outbox row for each lead whose workflow is late; works after Temporal lost its own store.
 * Reminders get rarer the longer a lead is overdue, and few wait at a time, to leave Temporal's capacity to a
 * backlog. The returned function returns how many rows it wrote.
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
