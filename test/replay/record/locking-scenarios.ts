import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { waitUntil } from '../../../dev/wait-until.ts';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { activateRules } from '../../support/routing.ts';
import { ended, leadThatIs, type Scenario } from './lead-scenarios.ts';
import type { LiveService } from './live-service.ts';
import { signalLead } from '../../support/temporal.ts';

/** Every activity that reads or writes a lead waits until `work` is done. */
function whileLeadsAreLocked({ api }: LiveService, work: () => Promise<void>): Promise<void> {
  return api.database.transaction(async (sql) => {
    await sql.query('lock table leads in access exclusive mode');
    await work();
  });
}

function isPending(temporal: Client, leadId: string, activity: string, attempt: number) {
  const isIt = async () => {
    const { pendingActivities } = (await leadRun(temporal, leadId).describe()).raw;
    const found = pendingActivities?.find((each) => each.activityType?.name === activity);
    if (found?.attempt !== attempt) throw new Error('not yet');
  };
  return waitUntil(isIt, { what: `Attempt ${attempt} of ${activity}` });
}

async function unassignedLead(service: LiveService): Promise<string> {
  await activateRules(service.api.database, []);
  const leadId = await leadThatIs(service, 'unassigned');
  return leadId;
}

async function hasTimerFired(temporal: Client, leadId: string): Promise<void> {
  const { events } = await leadRun(temporal, leadId).fetchHistory();
  if (!events?.some((event) => event.timerFiredEventAttributes)) throw new Error('not yet');
}

export const lockingScenarios: Record<string, Scenario> = {
  /** The ordinary activity follows the local one, which has two seconds. */
  async 'read-timed-out'(service) {
    const { temporal } = service;
    const leadId = await unassignedLead(service);
    await whileLeadsAreLocked(service, async () => {
      await signalLead(temporal, leadId, 'recover');
      await isPending(temporal, leadId, 'routeLead', 1);
    });
    return ended(service, leadId);
  },
  /** Both while an activity is awaited: the run finds an expired timer and a signal at once. */
  async 'timer-and-signal-at-once'(service) {
    const { temporal } = service;
    const leadId = await unassignedLead(service);
    await whileLeadsAreLocked(service, async () => {
      await signalLead(temporal, leadId, 'recover');
      await waitUntil(() => hasTimerFired(temporal, leadId), { what: 'The timer' });
      await signalLead(temporal, leadId, 'recover');
    });
    return ended(service, leadId);
  },
  /** The claim's first attempt times out: the lead turns out to be unknown while the claim is under way. */
  async 'unknown-lead-claimed'(service) {
    const { temporal } = service;
    const leadId = randomUUID();
    let claim: Promise<unknown> | undefined;
    await whileLeadsAreLocked(service, async () => {
      await signalLead(temporal, leadId, 'recover');
      await isPending(temporal, leadId, 'routeLead', 1);
      claim = service.claim(leadId, randomUUID());
      await isPending(temporal, leadId, 'routeLead', 2);
      await isPending(temporal, leadId, 'claimLead', 2);
    });
    await claim;
    return ended(service, leadId);
  },
};
