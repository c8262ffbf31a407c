import { waitUntil } from '../../../dev/wait-until.ts';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { areAll } from './delivery-scenarios.ts';
import { toAnAgent, WITHOUT_CLOCK, type Scenario } from './lead-scenarios.ts';
import type { LiveService } from './live-service.ts';

/** The server suggests at this number of events to continue as new; no other scenario has as many. */
export const LONG_HISTORY_EVENTS = 80;

/**
 * A lead whose run continued as new while the first attempts of two events were open. They fail, and are retried
 * by the next run.
 */
async function continueAsNew(service: LiveService, hook: string) {
  service.receiver.setBehaviour({ mode: 'hang', times: 2, path: `/hooks/${hook}` });
  const leadId = await createWithWebhooks(service, hook);
  await waitUntil(() => isCalled(service, hook), { what: 'The first call' });
  return continueRun(service, leadId);
}

/** The same while the calls of two retries are open: their cancelled activities fail. */
async function continueWhileRetried(service: LiveService, hook: string) {
  const path = `/hooks/${hook}`;
  service.receiver.setBehaviour({ mode: 'throttle', retryAfterSeconds: 3, times: 2, path });
  const leadId = await createWithWebhooks(service, hook);
  await areAll(service, leadId, 'attempts = 1');
  service.receiver.setBehaviour({ mode: 'hang', times: 2, path });
  await waitUntil(() => isCalled(service, hook, 4), { what: 'The calls of the retries' });
  return continueRun(service, leadId);
}

async function createWithWebhooks(service: LiveService, hook: string): Promise<string> {
  await toAnAgent(service, WITHOUT_CLOCK);
  const client = await service.addListener(hook);
  return service.create({}, { client });
}

async function continueRun(service: LiveService, leadId: string) {
  const { temporal } = service;
  const { runId } = await leadRun(temporal, leadId).describe();
  await fillHistory(service, leadId);
  await waitUntil(() => isAnotherRun(service, leadId, runId), { what: 'The next run' });
  await service.ends(leadId);
  return { workflowId: leadWorkflowId(leadId), runId };
}

async function isCalled({ receiver }: LiveService, hook: string, times = 1): Promise<void> {
  const calls = receiver.received().filter(({ path }) => path === `/hooks/${hook}`);
  if (calls.length < times) throw new Error('not yet');
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
  'continued-as-new': (service) => continueAsNew(service, 'continued'),
  'continued-while-retried': (service) => continueWhileRetried(service, 'retried-unpatched'),
  'continued-while-retried-patched': (service) => continueWhileRetried(service, 'retried-patched'),
  'begun-by-continuing': async (service) => (await continueAsNew(service, 'begun')).workflowId,
};

/** Scenarios of a run that is pinned to its worker's version. */
export const versionedScenarios: Record<string, Scenario> = {
  'continued-from-a-version': (service) => continueAsNew(service, 'pinned'),
};
