import { randomUUID } from 'node:crypto';
import { waitUntil } from '../../../dev/wait-until.ts';
import { OAuthClient } from '../../../store/tables/clients.ts';
import { releaseHeldDeliveries, reopenDeliveries } from '../../../store/webhooks/deliveries.ts';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { runWebhookTest } from '../../../temporal/webhook-test-client.ts';
import { webhookTestOptions } from '../../../workflows/contracts/webhook-test.ts';
import type { TestClient } from '../../support/api.ts';
import { activateRules } from '../../support/routing.ts';
import { ended, relayed, toAnAgent, WITHOUT_CLOCK, type Scenario } from './lead-scenarios.ts';
import type { LiveService } from './live-service.ts';
import { withEntityManager } from '../../support/database.ts';
import { signalLead } from '../../support/temporal.ts';

interface Delivery {
  eventId: string;
  endpointId: string;
}

/** A lead whose client listens at the hook; returns the lead and the delivery of its first event. */
async function createWithWebhook(service: LiveService, hook: string) {
  await activateRules(service.api.database, []);
  const client = await service.addListener(hook);
  const leadId = await service.create({}, { client });
  const [delivery] = await service.api.database.query<Delivery & Record<string, unknown>>(
    `select event_id as "eventId", endpoint_id as "endpointId" from webhook_deliveries where lead_id = $1`,
    [leadId],
  );
  if (!delivery) throw new Error('There is no delivery.');
  return { leadId, eventId: delivery.eventId, endpointId: delivery.endpointId };
}

async function isThere(found: readonly unknown[]): Promise<void> {
  if (found.length === 0) throw new Error('not yet');
}

async function isRetried({ temporal }: LiveService, { leadId }: { leadId: string }): Promise<void> {
  const run = leadRun(temporal, leadId);
  await waitUntil(
    async () => {
      const { pendingActivities } = (await run.describe()).raw;
      if (pendingActivities?.[0]?.attempt !== 2) throw new Error('not yet');
    },
    { what: 'The pause before the next attempt' },
  );
}

/** A lead that is open until its agent responds, whose client listens at the hook. */
async function createOpenLead(service: LiveService, hook: string) {
  await toAnAgent(service);
  const client = await service.addListener(hook);
  const leadId = await service.create({}, { client });
  return { client, leadId };
}

async function respondAndEnd(
  service: LiveService,
  { client, leadId }: { client: TestClient; leadId: string },
): Promise<string> {
  await service.respond(leadId, { client });
  return ended(service, leadId);
}

/** Refreshes the lead, and waits until it is and all its activities have ended. */
async function refresh({ temporal }: LiveService, leadId: string): Promise<void> {
  await signalLead(temporal, leadId, 'recover');
  await waitUntil(
    async () => {
      const { pendingActivities, pendingWorkflowTask } = (
        await leadRun(temporal, leadId).describe()
      ).raw;
      if (pendingWorkflowTask || pendingActivities?.length) throw new Error('not yet');
    },
    { what: 'A run without a task' },
  );
}

/** Waits for both deliveries of a lead. */
export function areAll({ api }: LiveService, leadId: string, condition: string): Promise<void> {
  return waitUntil(
    async () => {
      const [row] = await api.database.query<{ all: boolean }>(
        `select bool_and(${condition}) and count(*) = 2 as all from webhook_deliveries where lead_id = $1`,
        [leadId],
      );
      if (!row?.all) throw new Error('not yet');
    },
    { what: `Deliveries: ${condition}` },
  );
}

/** Delivered as its run knows; a worker of a former version reported a failure late. */
async function failLate(service: LiveService, hook: string): Promise<string> {
  const lead = await createOpenLead(service, hook);
  const { leadId } = lead;
  await areAll(service, leadId, `status = 'delivered'`);
  await refresh(service, leadId);
  await service.api.database.query(
    `update webhook_deliveries set status = 'pending', attempts = 2, finished_at = null where lead_id = $1`,
    [leadId],
  );
  await refresh(service, leadId);
  return respondAndEnd(service, lead);
}

export const deliveryScenarios: Record<string, Scenario> = {
  async 'webhooks-arrived'(service) {
    const { leadId } = await createWithWebhook(service, 'arrived');
    return ended(service, leadId);
  },
  async 'webhook-retried'(service) {
    service.receiver.setBehaviour({ mode: 'fail', times: 2, path: '/hooks/retried' });
    const { leadId } = await createWithWebhook(service, 'retried');
    return ended(service, leadId);
  },
  async 'webhook-failed'(service) {
    service.receiver.setBehaviour({ mode: 'fail', path: '/hooks/failed' });
    const { leadId } = await createWithWebhook(service, 'failed');
    return ended(service, leadId);
  },
  /** While its retry waits for an hour: the activity is cancelled, another one delivers it. */
  async 'webhook-resent'(service) {
    service.receiver.setBehaviour({
      mode: 'throttle',
      retryAfterSeconds: 3600,
      times: 1,
      path: '/hooks/resent',
    });
    const delivery = await createWithWebhook(service, 'resent');
    await isRetried(service, delivery);
    const { database } = service.api;
    await reopenDeliveries(database, { ...delivery, since: null }, new Date());
    await relayed(service, delivery.leadId);
    return ended(service, delivery.leadId);
  },
  async 'webhook-tested'(service) {
    const { endpointId } = await createWithWebhook(service, 'tested');
    const input = { endpointId, testId: randomUUID() };
    await runWebhookTest(service.temporal, input);
    return webhookTestOptions(input).workflowId;
  },
  /** While the call of its first attempt is open, beside another event of the same activity. */
  async 'webhook-superseded'(service) {
    const path = '/hooks/superseded';
    service.receiver.setBehaviour({ mode: 'slow', delayMs: 3000, times: 1, path });
    await toAnAgent(service, WITHOUT_CLOCK);
    const client = await service.addListener('superseded');
    const leadId = await service.create({}, { client });
    const received = () => service.receiver.received().filter((call) => call.path === path);
    await waitUntil(() => isThere(received()), { what: 'The first call' });
    const eventId = received()[0]?.id ?? '';
    const { database } = service.api;
    await reopenDeliveries(database, { eventId, endpointId: null, since: null }, new Date());
    await relayed(service, leadId);
    return ended(service, leadId);
  },
  /** One responds at once, the other fails at first. */
  async 'webhooks-to-two-endpoints'(service) {
    service.receiver.setBehaviour({ mode: 'fail', times: 1, path: '/hooks/second' });
    await toAnAgent(service, WITHOUT_CLOCK);
    const client = await service.addListener('first');
    await service.addListener('second', client);
    const leadId = await service.create({}, { client });
    return ended(service, leadId);
  },
  /** Its run is terminated while a retry waits; the next run finds the delivery with its attempts. */
  async 'webhook-recovered'(service) {
    service.receiver.setBehaviour({ mode: 'fail', times: 2, path: '/hooks/recovered' });
    const delivery = await createWithWebhook(service, 'recovered');
    await isRetried(service, delivery);
    await leadRun(service.temporal, delivery.leadId).terminate('by the test');
    await signalLead(service.temporal, delivery.leadId, 'recover');
    return ended(service, delivery.leadId);
  },
  /** The merge window ends while the retry waits. */
  async 'webhook-arrived-late'(service) {
    const path = '/hooks/late';
    service.receiver.setBehaviour({ mode: 'throttle', retryAfterSeconds: 8, times: 1, path });
    const { leadId } = await createWithWebhook(service, 'late');
    return ended(service, leadId);
  },
  /** Its client is deactivated while its retries wait, and activated again. */
  async 'webhook-held'(service) {
    const path = '/hooks/held';
    service.receiver.setBehaviour({ mode: 'throttle', retryAfterSeconds: 3, times: 2, path });
    const lead = await createOpenLead(service, 'held');
    const { client, leadId } = lead;
    await areAll(service, leadId, 'attempts = 1');
    const activate = (active: boolean) =>
      withEntityManager(service.api, (em) =>
        em.nativeUpdate(OAuthClient, { clientId: client.clientId }, { active }),
      );
    await activate(false);
    await areAll(service, leadId, `status = 'held'`);
    await refresh(service, leadId);
    await activate(true);
    await releaseHeldDeliveries(service.api.database, client.clientId, new Date());
    await relayed(service, leadId);
    await areAll(service, leadId, `status = 'delivered'`);
    return respondAndEnd(service, lead);
  },
  'webhook-failed-late': (service) => failLate(service, 'late-unpatched'),
  'webhook-failed-late-patched': (service) => failLate(service, 'late-patched'),
};
