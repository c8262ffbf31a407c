import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { LeadActivities } from '../activities/leads/lead-activities.ts';
import { assertClaim, eventOf } from './lead-messages.ts';
import { LOADING_DETAILS } from './lead-page.ts';
import { createLeadPublisher } from './lead-publisher.ts';
import { createLeadTimer } from './lead-timer.ts';
import { claimLeadUpdate, leadEventSignal } from './contracts/lead-lifecycle.ts';
import type {
  ClaimOutcome,
  ClaimRequest,
  LeadLifecycleInput,
  LeadLifecycleResult,
} from './contracts/lead-lifecycle.ts';
import type { LeadSnapshot } from './contracts/lead-snapshot.ts';
import { nextTimer } from './next-timer.ts';
import type { DueTimer } from './next-timer.ts';
import { createWebhookDeliveries } from './webhook-deliveries.ts';

/** Between two machines; what the one holds due may be too early for the other. */
const CLOCK_DIFFERENCE = '1 second';

/**
 * A lead's active day: route, webhooks, follow-up clock, claims and responses, the end of the merge window.
 * Then the run completes; a later event starts the next one. Postgres owns the lead's state and what is
 * due; a signal is only a reason to refresh, so that a lost or doubled one does no harm.
 */
export async function LeadLifecycle({ leadId }: LeadLifecycleInput): Promise<LeadLifecycleResult> {
  const pendingEvents: string[] = [];
  setHandler(leadEventSignal, (signal) => void pendingEvents.push(eventOf(signal)));
  setHandler(claimLeadUpdate, claim, { validator: assertClaim });
  async function claim({ agentId, claimId }: ClaimRequest): Promise<ClaimOutcome> {
    const outcome = await activities('claim').claimLead({ leadId, agentId, claimId });
    if (outcome.claimed) pendingEvents.push('claimed');
    return outcome;
  }

  setCurrentDetails(LOADING_DETAILS);
  const show = createLeadPublisher();
  const timer = createLeadTimer();
  const deliveries = createWebhookDeliveries(() => lead && show(lead, deliveries.list));
  const hasEnded = () => !timer.isSet && !deliveries.areUnderWay && allHandlersFinished();
  const isAwake = () => timer.expired !== null || pendingEvents.length > 0;

  let lead = await refresh(leadId, pendingEvents.splice(0), null);
  while (lead) {
    deliveries.start(lead);
    show(lead, deliveries.list);
    timer.set(nextTimer(lead));
    await condition(() => isAwake() || isHistoryTooLong() || hasEnded());
    if (isHistoryTooLong()) await startNextRun();
    // Expired timers run before queued signals; otherwise a burst of signals could delay the follow-up.
    if (timer.expired) lead = await onTimer(leadId, lead, timer.expired);
    else if (pendingEvents.length > 0) lead = await refresh(leadId, pendingEvents.splice(0), lead);
    else break;
  }
  await condition(allHandlersFinished);
  return lead ? lead.status : 'no such lead';

  /** The next run begins with a refresh, so no signal and nothing that is due is lost with this one. */
  async function startNextRun(): Promise<never> {
    await deliveries.stop();
    await condition(allHandlersFinished);
    return continueAsNew<typeof LeadLifecycle>({ leadId });
  }
}

/** Each step is whole and may be run again: done twice it changes nothing more. */
function activities(summary: string): LeadActivities {
  return proxyActivities<LeadActivities>({
    summary,
    startToCloseTimeout: '10 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  });
}

/** Also refused claims, which change nothing, make a history long. */
function isHistoryTooLong(): boolean {
  return workflowInfo().continueAsNewSuggested;
}

/**
 * The lead as it stands, routed where it is pending. An event on a lead that is known is first looked at
 * within the workflow task, so that one which changes nothing costs nothing more.
 */
function refresh(
  leadId: string,
  events: readonly string[],
  known: LeadSnapshot | null,
): Promise<LeadSnapshot | null> {
  const summary = refreshSummary(events, known);
  const route = () => activities(summary).routeLead({ leadId });
  if (!known || events.includes('rerouted')) return route();
  return readNow(leadId, summary).then((lead) =>
    lead && lead.status !== 'pending' ? lead : route(),
  );
}

/** One attempt: whatever is wrong is seen and retried in the ordinary activity that follows. */
async function readNow(leadId: string, summary: string): Promise<LeadSnapshot | null> {
  const { readLead } = proxyLocalActivities<LeadActivities>({
    summary,
    startToCloseTimeout: '2 seconds',
    retry: { maximumAttempts: 1 },
  });
  return readLead({ leadId }).catch(() => null);
}

function refreshSummary(events: readonly string[], known: LeadSnapshot | null): string {
  if (events.includes('rerouted') && known) return `route, round ${known.round + 1}`;
  const others = events.filter((event) => event !== 'created');
  if (others.length > 0) return `refresh: ${[...new Set(others)].join(', ')}`;
  return known ? 'refresh' : 'route';
}

async function onTimer(
  leadId: string,
  lead: LeadSnapshot,
  { kind }: DueTimer,
): Promise<LeadSnapshot | null> {
  if (kind === 'merge-window') {
    await activities('close the merge window').closeMergeWindow({ leadId });
    return { ...lead, mergeWindowEndsAtMs: null };
  }
  const { round, moves } = lead;
  const next = await activities(expirySummary(moves)).expireFollowUp({ leadId, round, moves });
  if (next?.followUpDueAtMs !== lead.followUpDueAtMs) return next;
  await sleep(CLOCK_DIFFERENCE, { summary: 'the clock of the worker is behind' });
  return refresh(leadId, [], lead);
}

function expirySummary(moves: number): string {
  return moves === 0 ? 'no response in time' : `no response in time, after move ${moves}`;
}
