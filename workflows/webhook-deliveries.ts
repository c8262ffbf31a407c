import { rootCause } from '@temporalio/common';
import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  isCancellation,
  patched,
  proxyActivities,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks/webhook-activities.ts';
import { taskQueues } from './contracts/task-queues.ts';
import type { DeliverySnapshot, LeadSnapshot } from './contracts/lead-snapshot.ts';
import type { DeliveryReport } from './contracts/webhook-delivery.ts';
import { escapeMarkdown } from './contracts/web-ui-page.ts';

type Client = Pick<LeadSnapshot, 'oauthClientId' | 'clientLabel'>;

type Deliveries = readonly [DeliverySnapshot, ...DeliverySnapshot[]];

interface DeliveryActivity {
  scope: CancellationScope;
  deliveries: Deliveries;
}

interface TrackedDelivery extends Omit<DeliverySnapshot, 'status'> {
  status: DeliverySnapshot['status'] | 'delivered';
  isReported?: boolean;
}

/** Routing does not await these activities. First attempts share one per endpoint; each retry has its own. */
export function createWebhookDeliveries(onChange: () => void) {
  const activities = new Set<DeliveryActivity>();
  let tracked = new Map<string, TrackedDelivery>();
  let isStopped = false;

  function start(lead: LeadSnapshot): void {
    const before = tracked;
    tracked = new Map([...before].filter(([, { status }]) => status === 'delivered'));
    for (const delivery of lead.deliveries)
      tracked.set(idOf(delivery), latestOf(delivery, before.get(idOf(delivery))));
    const due = listOpen().filter((each) => each.status === 'pending' && !isInActivity(each));
    for (const delivery of due) cancelEarlier(delivery);
    for (const together of groupForSending(due)) void deliver(together, lead);
  }

  const listOpen = () => [...tracked.values()].filter(isOpen);

  function isInActivity(delivery: DeliverySnapshot): boolean {
    const generation = generationOf(delivery);
    return [...activities].some((each) => each.deliveries.map(generationOf).includes(generation));
  }

  /** A retry of an earlier generation may wait for hours; first attempts end soon. */
  function cancelEarlier(delivery: DeliverySnapshot): void {
    for (const { scope, deliveries } of activities)
      if (deliveries.every((each) => idOf(each) === idOf(delivery))) scope.cancel();
  }

  async function deliver(deliveries: Deliveries, client: Client): Promise<void> {
    const activity = { scope: new CancellationScope(), deliveries };
    activities.add(activity);
    const reports = await activity.scope
      .run(() => send(deliveries, client))
      .catch((error: unknown) => reportsAfter(error, activity));
    activities.delete(activity);
    for (const report of reports) record(report, deliveries, client);
    onChange();
  }

  function record(
    { eventId, outcome, attempts, detail }: DeliveryReport,
    deliveries: Deliveries,
    client: Client,
  ): void {
    const delivery = deliveries.find((each) => each.eventId === eventId);
    if (!delivery || outcome === 'superseded' || outcome === 'held') return;
    const status = outcome === 'retrying' ? 'pending' : outcome;
    const failureReason = outcome === 'failed' ? detail : null;
    const reported = { ...delivery, attempts, failureReason, isReported: true };
    tracked.set(idOf(delivery), { ...reported, status });
    if (outcome === 'retrying' && !isStopped) void deliver([{ ...delivery, attempts }], client);
  }

  return {
    start,
    get areUnderWay(): boolean {
      return activities.size > 0;
    },
    get list(): DeliverySnapshot[] {
      return listOpen();
    },
    async stop(): Promise<void> {
      isStopped = true;
      for (const { scope } of activities) scope.cancel();
      await condition(() => activities.size === 0);
    },
  };
}

const idOf = ({ eventId, endpointId }: DeliverySnapshot) => `${eventId}/${endpointId}`;
const generationOf = (delivery: DeliverySnapshot) => `${idOf(delivery)}/${delivery.generation}`;

function isOpen(delivery: TrackedDelivery): delivery is DeliverySnapshot {
  return delivery.status !== 'delivered';
}

/** A report newer than the snapshot counts, unless another worker has made more attempts or the delivery is held. */
function latestOf(snapshot: DeliverySnapshot, tracked?: TrackedDelivery): TrackedDelivery {
  const isComparable = tracked?.isReported && tracked.generation === snapshot.generation;
  if (!isComparable || snapshot.status === 'held') return snapshot;
  if (snapshot.attempts <= tracked.attempts) return tracked;
  // eslint-disable-next-line no-restricted-syntax -- each call decides about one snapshot, whatever earlier ones did
  return patched('more-attempts-in-postgres') ? snapshot : tracked;
}

/** A cancelled activity whose call had ended fails like any other. Postgres has the result. */
function reportsAfter(error: unknown, { scope, deliveries }: DeliveryActivity): DeliveryReport[] {
  if (isCancellation(error)) return [];
  // eslint-disable-next-line no-restricted-syntax -- each call decides about one activity, whatever earlier ones did
  if (scope.consideredCancelled && patched('cancelled-while-open')) return [];
  const detail = String(rootCause(error));
  return deliveries.map(({ eventId, attempts }) => ({
    eventId,
    outcome: 'failed',
    attempts,
    detail,
  }));
}

function groupForSending(due: readonly DeliverySnapshot[]) {
  const groups = Map.groupBy(due, (delivery) =>
    delivery.attempts === 0 ? delivery.endpointId : idOf(delivery),
  );
  return groups.values() as Iterable<Deliveries>;
}

async function send(deliveries: Deliveries, client: Client) {
  const [first] = deliveries;
  const { endpointId } = first;
  const { oauthClientId } = client;
  const { sendWebhooks, retryWebhook } = activitiesFor(deliveries, client);
  const refs = deliveries.map(({ eventId, generation }) => ({ eventId, generation }));
  if (first.attempts === 0) return sendWebhooks({ endpointId, oauthClientId, deliveries: refs });
  const { eventId, generation } = first;
  return [await retryWebhook({ endpointId, oauthClientId, eventId, generation })];
}

/** A fairness key may have 64 bytes; a UTF-16 unit takes at most three. */
const FAIRNESS_KEY_UNITS = 21;

/** For attempts that never ended, such as those of a killed worker. Other failures name their own next delay. */
function activitiesFor(deliveries: Deliveries, client: Client) {
  const events = deliveries.map(({ eventType }) => eventType).join(', ');
  return proxyActivities<WebhookActivities>({
    taskQueue: taskQueues.webhooks,
    summary: `webhook ${events} to ${escapeMarkdown(client.clientLabel)}`,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '10 seconds',
    // Polls wait a minute: with that interval, a worker without Postgres would get every retry.
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '20 seconds' },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    priority: { fairnessKey: client.oauthClientId.slice(0, FAIRNESS_KEY_UNITS) },
  });
}
