import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { LeadActivities } from '../activities/lead-activities.ts';
import { describeStanding, LOOKING, standingAttributes } from './lead-page.ts';
import { assertClaim, eventOf } from './lead-messages.ts';
import { CLAIM_UPDATE, LEAD_EVENT_SIGNAL } from './messages.ts';
import type {
  ClaimOutcome,
  ClaimRequest,
  LeadEventSignal,
  LeadLifecycleInput,
  LeadStanding,
} from './messages.ts';
import { nextTimer } from './next-timer.ts';
import type { DueTimer } from './next-timer.ts';
import { startDeliveries } from './start-deliveries.ts';

const leadEvent = defineSignal<[LeadEventSignal]>(LEAD_EVENT_SIGNAL);
const claimLead = defineUpdate<ClaimOutcome, [ClaimRequest]>(CLAIM_UPDATE);

/** Between two machines; what the one holds due may be too early for the other. */
const CLOCK_DIFFERENCE = '1 second';

/** Each step is whole and may be run again; Postgres refuses nothing twice and forgets nothing. */
function activities(summary: string): LeadActivities {
  return proxyActivities<LeadActivities>({
    summary,
    startToCloseTimeout: '10 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  });
}

/**
 * A lead's active day: announce, route, follow-up clock, claims and responses, the end of the merge
 * window. Then the run completes; a later event starts the next one. Postgres owns the lead's state,
 * the workflow makes it move: each event is only a reason to look again.
 */
export async function LeadLifecycle({ leadId }: LeadLifecycleInput): Promise<string> {
  const heard: string[] = [];
  setHandler(leadEvent, (signal) => void heard.push(eventOf(signal)));
  setHandler(claimLead, claim, { validator: assertClaim });
  async function claim({ agentId, claimId }: ClaimRequest): Promise<ClaimOutcome> {
    const outcome = await activities('claim').claimLead({ leadId, agentId, claimId });
    if (outcome.claimed) heard.push('claimed');
    return outcome;
  }

  setCurrentDetails(LOOKING);
  let standing = await look(leadId, heard, null);
  while (standing) {
    const timer = nextTimer(standing, Date.now());
    if (!timer && heard.length === 0) {
      await condition(allHandlersFinished);
      if (heard.length === 0) break;
    }
    const wasWoken = await isWoken(heard, timer);
    if (isTooLong()) await continueAsNew<typeof LeadLifecycle>({ leadId });
    standing = wasWoken
      ? await look(leadId, heard, standing)
      : await act(leadId, heard, standing, timer);
  }
  await condition(allHandlersFinished);
  return standing ? standing.status : 'no such lead';
}

/** The next run begins with a look, so nothing that was heard or is due is lost with this one. */
function isTooLong(): boolean {
  return workflowInfo().continueAsNewSuggested && allHandlersFinished();
}

/** Routes what waits for routing, starts what waits to be told, and shows where the lead stands. */
async function look(
  leadId: string,
  heard: string[],
  before: LeadStanding | null,
): Promise<LeadStanding | null> {
  const events = heard.splice(0);
  const standing = await activities(lookSummary(events, before)).routeLead({ leadId });
  if (standing) await tell(standing);
  return standing;
}

function lookSummary(events: readonly string[], before: LeadStanding | null): string {
  if (events.includes('rerouted') && before) return `route, round ${before.round + 1}`;
  const others = events.filter((event) => event !== 'created');
  if (others.length > 0) return `look again: ${[...new Set(others)].join(', ')}`;
  return before ? 'look again' : 'route';
}

function expirySummary(moves: number): string {
  return moves === 0 ? 'no response in time' : `no response in time, after move ${moves}`;
}

async function tell(standing: LeadStanding): Promise<void> {
  upsertSearchAttributes(standingAttributes(standing));
  setCurrentDetails(describeStanding(standing));
  await startDeliveries(standing.deliveries);
}

/**
 * True when there is something to look at, false when the timer ran out first. What is due goes before
 * what was heard, so that a stream of events puts no clock off. Claims that are refused are not heard,
 * but make the history long.
 */
async function isWoken(heard: readonly string[], timer: DueTimer | null): Promise<boolean> {
  if (!timer) return true;
  if (timer.delayMs === 0) return false;
  return condition(() => heard.length > 0 || isTooLong(), timer.delayMs, {
    summary: timer.summary,
  });
}

async function act(
  leadId: string,
  heard: string[],
  standing: LeadStanding,
  timer: DueTimer | null,
): Promise<LeadStanding | null> {
  if (timer?.kind === 'merge-window') {
    await activities('close the merge window').closeMergeWindow({ leadId });
    const closed = { ...standing, mergeWindowEndsAtMs: null };
    setCurrentDetails(describeStanding(closed));
    return closed;
  }
  const { round, moves } = standing;
  const next = await activities(expirySummary(moves)).expireFollowUp({
    leadId,
    round,
    moves,
  });
  if (next?.followUpDueAtMs === standing.followUpDueAtMs) {
    await sleep(CLOCK_DIFFERENCE, { summary: 'the clock of the worker is behind' });
    return look(leadId, heard, standing);
  }
  if (next) await tell(next);
  return next;
}
