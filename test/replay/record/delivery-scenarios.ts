import { randomUUID } from 'node:crypto';
import { waitUntil } from '../../../dev/wait-until.ts';
import { WEBHOOK_TEST, webhookTestOptions } from '../../../workflows/webhook-test-options.ts';
import { deliveryWorkflowId, leadWorkflowId } from '../../../workflows/messages.ts';
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

async function settled(scene: Scene, { eventId, endpointId }: Delivery): Promise<string> {
  const workflowId = deliveryWorkflowId(eventId, endpointId);
  await waitUntil(
    async () => {
      const { status } = await scene.temporal.workflow.getHandle(workflowId).describe();
      if (status.name === 'RUNNING') throw new Error('it runs');
    },
    { what: 'The end of the delivery' },
  );
  return workflowId;
}

const retried: Scenario = async (scene) => {
  scene.receiver.setBehaviour({ mode: 'fail', times: 2, path: '/hooks/retried' });
  return settled(scene, await announced(scene, 'retried'));
};

const failed: Scenario = async (scene) => {
  scene.receiver.setBehaviour({ mode: 'fail', path: '/hooks/failed' });
  return settled(scene, await announced(scene, 'failed'));
};

/** The lead's own history, with the start of the delivery in it. */
const leadAnnounced: Scenario = async (scene) => {
  const delivery = await announced(scene, 'announced');
  await settled(scene, delivery);
  await scene.ends(delivery.leadId);
  return leadWorkflowId(delivery.leadId);
};

const tested: Scenario = async (scene) => {
  const { endpointId } = await announced(scene, 'tested');
  const options = webhookTestOptions({ endpointId, testId: randomUUID() });
  await scene.temporal.workflow.execute(WEBHOOK_TEST, options);
  return options.workflowId;
};

export const deliveryScenarios: Record<string, Scenario> = {
  'delivery-retried': retried,
  'delivery-failed': failed,
  'lead-announced': leadAnnounced,
  'webhook-tested': tested,
};
