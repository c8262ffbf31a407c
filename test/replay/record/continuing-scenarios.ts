import { waitUntil } from '../../../dev/wait-until.ts';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { toAnAgent, WITHOUT_CLOCK, type Scenario } from './lead-scenarios.ts';
import type { LiveService } from './live-service.ts';

/** The server suggests at this number of events to continue as new; no other scenario has as many. */
export const LONG_HISTORY_EVENTS = 80;

/**
 * A lead whose run continued as new while the first attempts of two events were open. They fail, and are retried
 * by the next run.
 */
async function continueAsNew(service: LiveService, hook: string) {
  const { receiver, temporal } = service;
  receiver.setBehaviour({ mode: 'hang', times: 2, path: `/hooks/${hook}` });
  await toAnAgent(service, WITHOUT_CLOCK);
  const client = await service.addListener(hook);
  const leadId = await service.create({}, { client });
  await waitUntil(() => isCalled(service, hook), { what: 'The first call' });
  const { runId } = await leadRun(temporal, leadId).describe();
  await fillHistory(service, leadId);
  await waitUntil(() => isAnotherRun(service, leadId, runId), { what: 'The next run' });
  await service.ends(leadId);
  return { workflowId: leadWorkflowId(leadId), runId };
}

async function isCalled({ receiver }: LiveService, hook: string): Promise<void> {
  const call = receiver.received().find(({ path }) => path === `/hooks/${hook}`);
  if (!call) throw new Error('not yet');
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
  'begun-by-continuing': async (service) => (await continueAsNew(service, 'begun')).workflowId,
};

/** Of a run that is pinned to its worker's version. */
export const versionedScenarios: Record<string, Scenario> = {
  'continued-from-a-version': (service) => continueAsNew(service, 'pinned'),
};
