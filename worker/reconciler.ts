import type { ActivityContext } from '../activities/context.ts';
import { remindOverdue } from '../store/leads/outbox.ts';

/** Works after Temporal lost its store. Few and ever rarer reminders leave its capacity to a backlog. */
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
