import { Context } from '@temporalio/activity';
import type {
  DeliveryInput,
  DeliveryReport,
  SendWebhooksInput,
} from '../../workflows/contracts/webhook-delivery.ts';
import { retryAfter } from '../retry-after.ts';
import type { DeliveryAttempts } from './delivery-attempts.ts';
import type { AttemptResult } from './attempt-result.ts';
import { withHeartbeat } from './with-heartbeat.ts';

/** How long an event that gets no answer holds up the next one to the same endpoint. */
const HEAD_START_MS = 1000;

/**
 * The first attempts of events that are ready together for one endpoint, the oldest first. Each has its own
 * record, attempts and schedule; the report says which have to be retried. Where the endpoint has no room
 * for a call, the activity is retried when its turn comes: what was attempted is not attempted again.
 */
export function createSendWebhooks(attempts: DeliveryAttempts) {
  return ({
    endpointId,
    oauthClientId,
    deliveries,
  }: SendWebhooksInput): Promise<DeliveryReport[]> =>
    withHeartbeat(async () => {
      const inputs = deliveries.map((each) => ({ endpointId, oauthClientId, ...each }));
      const results = await startInOrder(inputs, attempts);
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

/** Loaded together. An attempt that does not arrive may change its endpoint, so the next one loads anew. */
async function startInOrder(
  inputs: readonly DeliveryInput[],
  { load, attempt }: DeliveryAttempts,
): Promise<AttemptResult[]> {
  const { cancellationSignal } = Context.current();
  let loaded = await load(inputs);
  const started: Promise<AttemptResult>[] = [];
  for (const [index, input] of inputs.entries()) {
    cancellationSignal.throwIfAborted();
    const result = attempt(input, loaded[index]);
    started.push(result);
    if (!(await arrivesInTime(result))) loaded = [];
  }
  return Promise.all(started);
}

/** False also for an attempt that takes longer than the head start. */
function arrivesInTime(result: Promise<AttemptResult>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), HEAD_START_MS);
    const settle = (hasArrived: boolean) => {
      clearTimeout(late);
      resolve(hasArrived);
    };
    result.then(
      ({ report }) => settle(report.outcome === 'delivered'),
      () => settle(false),
    );
  });
}
