import type { Client } from '@temporalio/client';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { Database } from '../store/database.ts';
import { forgetOutboxRows } from '../store/leads/outbox.ts';
import { signalLead } from '../temporal.ts';
import type { LeadEventSignal } from '../workflows/messages.ts';

/** Hands leads to their workflows after the commit, without making the request wait for it. */
export interface LeadStarter {
  /** What does not fit, or fails, the relay takes up from the outbox. */
  announce(leadId: string, event: LeadEventSignal['event'], outboxId: number | null): void;
  readonly waiting: number;
  /** Leaves what still waits to the relay; resolves when what is under way is handed over. */
  drain(): Promise<void>;
}

const CONCURRENT_STARTS = 16;
const MAX_WAITING = 2000;

export function createLeadStarter(client: Client, database: Database, log: Logger): LeadStarter {
  const queue = new PQueue({ concurrency: CONCURRENT_STARTS });

  async function start(
    leadId: string,
    event: LeadEventSignal['event'],
    outboxId: number,
  ): Promise<void> {
    try {
      await signalLead(client, leadId, event);
      await forgetOutboxRows(database, [outboxId]);
    } catch (error) {
      log.warn({ leadId, reason: (error as Error).name }, 'left to the relay');
    }
  }

  return {
    announce(leadId, event, outboxId) {
      if (outboxId === null || queue.size >= MAX_WAITING) return;
      void queue.add(() => start(leadId, event, outboxId));
    },
    get waiting() {
      return queue.size + queue.pending;
    },
    drain() {
      queue.clear();
      return queue.onIdle();
    },
  };
}
