import { randomUUID } from 'node:crypto';
import { relayOutbox } from '../../../worker/outbox-relay.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { reopenDeliveries } from '../../../store/webhooks/reopen-deliveries.ts';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { runWebhookTest } from '../../../temporal/webhook-test-client.ts';
import { webhookTestOptions } from '../../../workflows/contracts/webhook-test.ts';
import { leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { activateRules } from '../../support/routing.ts';
import type { Scenario } from './lead-scenarios.ts';
import type { Scene } from './scene.ts';

interface Delivery {
  eventId: string;
  endpointId: string;
}

/** A lead whose client listens at the hook; returns the lead and the delivery of its first event. */
async function announced(scene: Scene, hook: string): Promise<Delivery & { leadId: string }> {
  await activateRules(scene.api.database, []);
  const client = await scene.addListener(hook);
  const leadId = await scene.create({}, { client });
  const [delivery] = await scene.api.database.query<Delivery & Record<string, unknown>>(
    `select event_id as "eventId", endpoint_id as "endpointId" from webhook_deliveries where lead_id = $1`,
    [leadId],
  );
  if (!delivery) throw new Error('There is no delivery.');
  return { leadId, eventId: delivery.eventId, endpointId: delivery.endpointId };
}

const arrived: Scenario = async (scene) => {
  const { leadId } = await announced(scene, 'arrived');
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

const retried: Scenario = async (scene) => {
  scene.receiver.setBehaviour({ mode: 'fail', times: 2, path: '/hooks/retried' });
  const { leadId } = await announced(scene, 'retried');
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

const failed: Scenario = async (scene) => {
  scene.receiver.setBehaviour({ mode: 'fail', path: '/hooks/failed' });
  const { leadId } = await announced(scene, 'failed');
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

/** While its retry waits for an hour: the activity is cancelled, another one delivers it. */
const resent: Scenario = async (scene) => {
  scene.receiver.setBehaviour({
    mode: 'throttle',
    retryAfterSeconds: 3600,
    times: 1,
    path: '/hooks/resent',
  });
  const delivery = await announced(scene, 'resent');
  await isRetried(scene, delivery);
  const { database } = scene.api;
  await reopenDeliveries(database, { kind: 'one', ...delivery }, new Date());
  await relayOutbox(scene.workers.context, scene.temporal);
  await scene.ends(delivery.leadId);
  return leadWorkflowId(delivery.leadId);
};

async function isRetried({ temporal }: Scene, { leadId }: { leadId: string }): Promise<void> {
  const run = leadRun(temporal, leadId);
  await waitUntil(
    async () => {
      const { pendingActivities } = (await run.describe()).raw;
      if (pendingActivities?.[0]?.attempt !== 2) throw new Error('not yet');
    },
    { what: 'The pause before the next attempt' },
  );
}

const tested: Scenario = async (scene) => {
  const { endpointId } = await announced(scene, 'tested');
  const input = { endpointId, testId: randomUUID() };
  await runWebhookTest(scene.temporal, input);
  return webhookTestOptions(input).workflowId;
};

export const deliveryScenarios: Record<string, Scenario> = {
  'webhooks-arrived': arrived,
  'webhook-retried': retried,
  'webhook-failed': failed,
  'webhook-resent': resent,
  'webhook-tested': tested,
};
