import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { DeliveryReport, SendWebhooksInput } from '../../workflows/messages.ts';
import { retryAfter } from '../retry-after.ts';
import type { AttemptDelivery } from './attempt-delivery.ts';
import type { AttemptResult } from './attempt-result.ts';
import { withHeartbeat } from './with-heartbeat.ts';

/** How long an event that gets no answer holds up the next one to the same endpoint. */
const HEAD_START_MS = 1000;

/**
 * The first attempts of events that are ready together for one endpoint, the oldest first. Each has its own
 * record, attempts and schedule; the report says which have to be retried. Where the endpoint has no room
 * for a call, the activity is retried when its turn comes: what was attempted is not attempted again.
 */
export function createSendWebhooks(attempt: AttemptDelivery) {
  return ({
    endpointId,
    oauthClientId,
    deliveries,
  }: SendWebhooksInput): Promise<DeliveryReport[]> =>
    withHeartbeat(async () => {
      const results = await startInOrder(deliveries, (delivery) =>
        attempt({ endpointId, oauthClientId, ...delivery }),
      );
      const [waiting] = results.filter(isWaiting).sort((a, b) => a.next.delayMs - b.next.delayMs);
      if (waiting) throw retryAfter(waiting.next.type, waiting.next.delayMs, waiting.report.detail);
      return results.map(({ report }) => report);
    });
}

type Waiting = AttemptResult & { next: NonNullable<AttemptResult['next']> };

/** Its first attempt is still to come. */
function isWaiting(result: AttemptResult): result is Waiting {
  return result.next !== null && result.report.attempts === 0;
}

async function startInOrder<T>(
  deliveries: SendWebhooksInput['deliveries'],
  start: (delivery: SendWebhooksInput['deliveries'][number]) => Promise<T>,
): Promise<T[]> {
  const { cancellationSignal } = Context.current();
  const started: Promise<T>[] = [];
  for (const delivery of deliveries) {
    cancellationSignal.throwIfAborted();
    const attempt = start(delivery);
    started.push(attempt);
    await settledOrLate(attempt);
  }
  return Promise.all(started);
}

async function settledOrLate(attempt: Promise<unknown>): Promise<void> {
  const headStart = new AbortController();
  const isOver = attempt.then(
    () => headStart.abort(),
    () => headStart.abort(),
  );
  const isLate = sleep(HEAD_START_MS, undefined, headStart).catch(() => undefined);
  await Promise.race([isOver, isLate]);
}
