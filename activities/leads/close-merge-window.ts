import { closeMergeWindow } from '../../store/leads/write-lead.ts';
import type { ActivityContext } from '../context.ts';
import { retryAfter } from '../retry-after.ts';

/** Where the worker's clock is behind Temporal's, whose timer fired, the activity is retried in time. */
export function createCloseMergeWindow({ database, now }: ActivityContext) {
  return async ({ leadId }: { leadId: string }): Promise<void> => {
    const at = now();
    const endsAt = await closeMergeWindow(database, leadId, at);
    if (!endsAt) return;
    const leftMs = endsAt.getTime() - at.getTime();
    const message = `By the clock of the worker the merge window ends in ${leftMs} ms.`;
    throw retryAfter('NotOverYet', leftMs, message);
  };
}
