import { randomUUID } from 'node:crypto';
import { waitUntil } from '../../../dev/wait-until.ts';
import { reopenDeliveries } from '../../../store/webhooks/deliveries.ts';
import { leadRun, signalLead } from '../../../temporal/lead-lifecycle-client.ts';
import { runWebhookTest } from '../../../temporal/webhook-test-client.ts';
import { webhookTestOptions } from '../../../workflows/contracts/webhook-test.ts';
import { leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { activateRules } from '../../support/routing.ts';
import { relayed, toAnAgent, WITHOUT_CLOCK, type Scenario } from './lead-scenarios.ts';
import type { LiveService } from './live-service.ts';

interface Delivery {
  eventId: string;
  endpointId: string;
}

/** A lead whose client listens at the hook; returns the lead and the delivery of its first event. */
async function createWithWebhook(
  service: LiveService,
  hook: string,
): Promise<Delivery & { leadId: string }> {
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

const arrived: Scenario = async (service) => {
  const { leadId } = await createWithWebhook(service, 'arrived');
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

const retried: Scenario = async (service) => {
  service.receiver.setBehaviour({ mode: 'fail', times: 2, path: '/hooks/retried' });
  const { leadId } = await createWithWebhook(service, 'retried');
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

const failed: Scenario = async (service) => {
  service.receiver.setBehaviour({ mode: 'fail', path: '/hooks/failed' });
  const { leadId } = await createWithWebhook(service, 'failed');
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

/** While its retry waits for an hour: the activity is cancelled, another one delivers it. */
const resent: Scenario = async (service) => {
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
  await service.ends(delivery.leadId);
  return leadWorkflowId(delivery.leadId);
};

/** While the call of its first attempt is open, beside another event of the same activity. */
const superseded: Scenario = async (service) => {
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
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

async function isThere(found: readonly unknown[]): Promise<void> {
  if (found.length === 0) throw new Error('not yet');
}

/** One responds at once, the other fails at first. */
const toTwoEndpoints: Scenario = async (service) => {
  service.receiver.setBehaviour({ mode: 'fail', times: 1, path: '/hooks/second' });
  await toAnAgent(service, WITHOUT_CLOCK);
  const client = await service.addListener('first');
  await service.addListener('second', client);
  const leadId = await service.create({}, { client });
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

/** The merge window ends while the retry waits. */
const arrivedLate: Scenario = async (service) => {
  const path = '/hooks/late';
  service.receiver.setBehaviour({ mode: 'throttle', retryAfterSeconds: 8, times: 1, path });
  const { leadId } = await createWithWebhook(service, 'late');
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

/** Its run is terminated while a retry waits; the next run finds the delivery with its attempts. */
const recovered: Scenario = async (service) => {
  service.receiver.setBehaviour({ mode: 'fail', times: 2, path: '/hooks/recovered' });
  const delivery = await createWithWebhook(service, 'recovered');
  await isRetried(service, delivery);
  await leadRun(service.temporal, delivery.leadId).terminate('by the test');
  await signalLead(service.temporal, delivery.leadId, 'recover');
  await service.ends(delivery.leadId);
  return leadWorkflowId(delivery.leadId);
};

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

const tested: Scenario = async (service) => {
  const { endpointId } = await createWithWebhook(service, 'tested');
  const input = { endpointId, testId: randomUUID() };
  await runWebhookTest(service.temporal, input);
  return webhookTestOptions(input).workflowId;
};

export const deliveryScenarios: Record<string, Scenario> = {
  'webhooks-arrived': arrived,
  'webhook-retried': retried,
  'webhook-failed': failed,
  'webhook-resent': resent,
  'webhook-tested': tested,
  'webhook-superseded': superseded,
  'webhooks-to-two-endpoints': toTwoEndpoints,
  'webhook-recovered': recovered,
  'webhook-arrived-late': arrivedLate,
};
