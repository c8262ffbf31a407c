import type { Receiver } from '../../../dev/receiver/server.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { reopenDeliveries } from '../../../store/webhooks/deliveries.ts';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { intoAPool, relayed, type Scenario } from './lead-scenarios.ts';
import type { LiveService } from './live-service.ts';

/** The server suggests at this number of events to continue as new; no other scenario has as many. */
export const LONG_HISTORY_EVENTS = 80;

/** A lead whose run continued as new while one delivery waited for its retry and the call of another was open. */
async function continueAsNew(service: LiveService, hook: string) {
  await intoAPool(service);
  const { waiting, open } = { waiting: `${hook}-waiting`, open: `${hook}-open` };
  const client = await service.addListener(waiting);
  await service.addListener(open, client);
  const { receiver, temporal } = service;
  const throttle = { mode: 'throttle', retryAfterSeconds: 3600, times: 1 } as const;
  receiver.setBehaviour({ ...throttle, path: `/hooks/${waiting}` });
  receiver.setBehaviour({ mode: 'slow', delayMs: 8000, times: 1, path: `/hooks/${open}` });
  const leadId = await service.create({}, { client });
  const eventId = await isCalled(receiver, waiting);
  await isCalled(receiver, open);
  const { runId } = await leadRun(temporal, leadId).describe();
  await fillHistory(service, leadId);
  await waitUntil(() => isAnotherRun(service, leadId, runId), { what: 'The next run' });
  await reopenDeliveries(
    service.api.database,
    { eventId, endpointId: null, since: null },
    new Date(),
  );
  await relayed(service, leadId);
  await service.ends(leadId);
  return { workflowId: leadWorkflowId(leadId), runId };
}

/** Returns the id of the event. */
function isCalled(receiver: Receiver, hook: string): Promise<string> {
  return waitUntil(
    async () => {
      const call = receiver.received().find(({ path }) => path === `/hooks/${hook}`);
      if (!call) throw new Error('not yet');
      return call.id;
    },
    { what: `The call of ${hook}` },
  );
}

/** With claims that are refused, which start no timer and change nothing. */
async function fillHistory(service: LiveService, leadId: string): Promise<void> {
  const run = leadRun(service.temporal, leadId);
  const { id: agentId } = await service.addAgent({ active: false });
  while ((await run.describe()).historyLength <= LONG_HISTORY_EVENTS)
    await service.claim(leadId, agentId);
}

async function isAnotherRun({ temporal }: LiveService, leadId: string, runId: string) {
  if ((await leadRun(temporal, leadId).describe()).runId === runId) throw new Error('not yet');
}

export const continuingScenarios: Record<string, Scenario> = {
  'continued-as-new': (service) => continueAsNew(service, 'first'),
  'begun-by-continuing': async (service) => (await continueAsNew(service, 'next')).workflowId,
};

/** Of a run that is pinned to its worker's version. */
export const versionedScenarios: Record<string, Scenario> = {
  'continued-from-a-version': (service) => continueAsNew(service, 'pinned'),
};
