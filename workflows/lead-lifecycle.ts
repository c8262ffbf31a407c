import {
  allHandlersFinished,
  condition,
  makeContinueAsNewFunc,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { LeadActivities } from '../activities/leads/lead-activities.ts';
import {
  assertClaimRequest,
  assertHandOverRequest,
  claimLeadUpdate,
  handOverLeadUpdate,
  leadEventSignal,
  toLeadEvent,
  type ClaimOutcome,
  type ClaimRequest,
  type HandOverOutcome,
  type HandOverRequest,
  type LeadLifecycleInput,
  type LeadLifecycleResult,
} from './contracts/lead-lifecycle.ts';
import type { LeadSnapshot } from './contracts/lead-snapshot.ts';
import { createLeadPublisher, LOADING_DETAILS } from './lead-page.ts';
import { createLeadTimer, nextTimer, waitTimerMs, type DueTimer } from './lead-timer.ts';
import { createWebhookDeliveries } from './webhook-deliveries.ts';

/** In earlier histories, activities were not retried if the worker's clock was behind. */
const CLOCK_DIFFERENCE = '1 second';
const CLOCK_SUMMARY = 'the clock of the worker is behind';

/** Postgres owns the state and the due times. A signal only makes the run read the lead again. */
export async function LeadLifecycle({ leadId }: LeadLifecycleInput): Promise<LeadLifecycleResult> {
  const pendingEvents: string[] = [];
  setHandler(leadEventSignal, (signal) => void pendingEvents.push(toLeadEvent(signal)));
  setHandler(claimLeadUpdate, claim, { validator: assertClaimRequest });
  async function claim({ agentId, claimId }: ClaimRequest): Promise<ClaimOutcome> {
    const outcome = await activities('claim').claimLead({ leadId, agentId, claimId });
    if (outcome.claimed) pendingEvents.push('claimed');
    return outcome;
  }

  setHandler(handOverLeadUpdate, handOver, { validator: assertHandOverRequest });
  async function handOver({ handOverId }: HandOverRequest): Promise<HandOverOutcome> {
    const outcome = await activities('hand over').handOverLead({ leadId, handOverId });
    if (outcome.moved) pendingEvents.push('handed over');
    return outcome;
  }

  setCurrentDetails(LOADING_DETAILS);
  const publish = createLeadPublisher();
  const timer = createLeadTimer();
  const deliveries = createWebhookDeliveries(() => lead && publish(lead, deliveries.list));
  const besideLoop: readonly BesideLoop[] = [deliveries];
  const isAlone = () => besideLoop.every((each) => !each.areUnderWay);
  const hasEnded = () => !timer.isSet && isAlone() && allHandlersFinished();
  const isAwake = () => timer.expired !== null || pendingEvents.length > 0;

  let lead = await refresh(leadId, pendingEvents.splice(0), null);
  while (lead) {
    for (const each of besideLoop) each.start(lead);
    publish(lead, deliveries.list);
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

  /** The next run begins with a refresh, which reads everything that is due: dropped signals do no harm. */
  async function startNextRun(): Promise<never> {
    for (const each of besideLoop) await each.stop();
    await condition(allHandlersFinished);
    // Otherwise the next run would be pinned to this one's version.
    const onCurrentVersion = { initialVersioningBehavior: 'AUTO_UPGRADE' } as const;
    return makeContinueAsNewFunc<typeof LeadLifecycle>(onCurrentVersion)({ leadId });
  }
}

/** Outlasts an iteration of the loop. The run stays open for it, and stops it before it continues as new. */
interface BesideLoop {
  start(lead: LeadSnapshot): void;
  readonly areUnderWay: boolean;
  stop(): Promise<void>;
}

function activities(summary: string): LeadActivities {
  return proxyActivities<LeadActivities>({
    summary,
    startToCloseTimeout: '10 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  });
}

function isHistoryTooLong(): boolean {
  return workflowInfo().continueAsNewSuggested;
}

/** A local activity reads a known lead, so that an event that changes nothing costs no activity task. */
function refresh(leadId: string, events: readonly string[], known: LeadSnapshot | null) {
  const summary = refreshSummary(events, known);
  const route = () => activities(summary).routeLead({ leadId });
  if (!known || events.includes('rerouted')) return route();
  return readNow(leadId, summary).then((lead) =>
    lead && lead.status !== 'pending' ? lead : route(),
  );
}

/** One attempt: the ordinary activity that follows would meet the same error, and is retried. */
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

async function onTimer(leadId: string, lead: LeadSnapshot, { kind }: DueTimer) {
  if (kind === 'merge-window') {
    await activities('close the merge window').closeMergeWindow({ leadId });
    return { ...lead, mergeWindowEndsAtMs: null };
  }
  if (kind === 'wait') {
    const next = await activities('route: the wait is over').routeLead({ leadId });
    if (next && waitTimerMs(next) === waitTimerMs(lead))
      await sleep(CLOCK_DIFFERENCE, { summary: CLOCK_SUMMARY });
    return next;
  }
  const { round, moves } = lead;
  const next = await activities(expirySummary(moves)).expireFollowUp({ leadId, round, moves });
  if (next?.followUpDueAtMs !== lead.followUpDueAtMs) return next;
  await sleep(CLOCK_DIFFERENCE, { summary: CLOCK_SUMMARY });
  return refresh(leadId, [], lead);
}

function expirySummary(moves: number): string {
  return moves === 0 ? 'no response in time' : `no response in time, after move ${moves}`;
}
