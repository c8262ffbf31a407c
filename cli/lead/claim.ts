import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { readClaimState } from '../../store/assignment/read-assignment.ts';
import { readLeadOverview } from '../../store/leads/lead-overview.ts';
import type { AgentIdentity } from '../../store/routing/agents.ts';
import type * as LeadClient from '../../temporal/lead-lifecycle-client.ts';
import type { ClaimOutcome, ClaimRequest } from '../../workflows/contracts/lead-lifecycle.ts';
import { warnOfLimits } from '../agent/find-agent.ts';
import { OperatorError, withTemporal, type Operator } from '../operator.ts';

/** An agent takes a lead out of a pool; of many concurrent claims one wins. */
export async function claimForAgent(operator: Operator, leadId: string, agent: AgentIdentity) {
  const claim = { agentId: agent.id, claimId: randomUUID() };
  const warnings = await warnOfLimits(operator, agent, [leadId]);
  const outcome = await sendClaim(operator, leadId, claim);
  if (outcome.claimed)
    return operator.show({ leadId, ...outcome, agent, warnings }, (shown) =>
      [`${shown.agent.name} holds lead ${leadId} now.`, ...warnings].join('\n'),
    );
  const { reason, status } = outcome;
  if (reason === 'unknown_lead') throw new OperatorError(`Lead ${leadId} not found.`);
  const database = await operator.database();
  const lead = await readLeadOverview(database, leadId, operator.config.companyName);
  const reasons: Record<typeof reason, string> = {
    not_in_pool: `it is ${status}, not in a pool`,
    held_by_another: `${lead?.holder?.name ?? 'an agent'} holds it already`,
    unknown_agent: 'the agent is not there any more',
    agent_not_active: `${agent.name} is not active`,
  };
  throw new OperatorError(`Lead ${leadId} cannot be claimed: ${reasons[reason]}.`);
}

/** One claim by its id, however often it is sent. */
export function sendClaim(
  operator: Operator,
  leadId: string,
  claim: ClaimRequest,
  deadlineMs = UPDATE_DEADLINE_MS,
): Promise<ClaimOutcome> {
  return sendUpdate(
    operator,
    deadlineMs,
    (client, lead) => lead.claimLead(client, leadId, claim),
    () => readOutcome(operator, leadId, claim),
  );
}

/** No claim takes a lead from its holder, so a lead that has one answers every later claim. */
async function readOutcome(
  operator: Operator,
  leadId: string,
  { agentId, claimId }: ClaimRequest,
): Promise<ClaimOutcome | null> {
  const state = await readClaimState(await operator.database(), leadId, claimId);
  if (state?.isRecorded) return { claimed: true, agentId };
  if (!state?.isHeld) return null;
  return { claimed: false, reason: 'held_by_another', status: state.status };
}

export const UPDATE_DEADLINE_MS = 30_000;
const MAX_ENDING_RUNS = 10;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 6000;

/**
 * Starts the workflow when none is open. When the run completes first, the next one gets the same Update by
 * its id. A workflow admits few Updates at once: rejected ones, and those that an overloaded server gave up,
 * are sent again unless `readOutcome` knows the outcome by then.
 */
export async function sendUpdate<Outcome>(
  operator: Operator,
  deadlineMs: number,
  send: (client: Client, lead: typeof LeadClient) => Promise<Outcome>,
  readOutcome: () => Promise<Outcome | null> = () => Promise.resolve(null),
): Promise<Outcome> {
  const work = async (client: Client) => {
    const end = Date.now() + deadlineMs;
    const lead = await import('../../temporal/lead-lifecycle-client.ts');
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(client, lead);
      } catch (error) {
        const isTransient =
          lead.isBusy(error) || (lead.isRunEnding(error) && attempt < MAX_ENDING_RUNS);
        if (!isTransient || Date.now() >= end) throw error;
      }
      const outcome = await readOutcome();
      if (outcome) return outcome;
      await sleep(pauseMs(attempt));
    }
  };
  return withTemporal(operator, deadlineMs, work, OUTLOOK);
}

/** A worker that comes back is handed it if one had accepted it: Temporal holds others in memory only. */
const OUTLOOK =
  'The request may still be carried out when a worker is back, or be lost: look at the lead before you try again. ' +
  'What was carried out is taken back by leadctl lead undo, or by reroute, pool or assign.';

/** With jitter, so that rejected Updates do not all return at once. */
function pauseMs(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * Math.random();
}
