import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { readClaimState } from '../../store/assignment/read-assignment.ts';
import { readLeadOverview } from '../../store/leads/read-lead.ts';
import type { AgentIdentity } from '../../store/routing/agents.ts';
import type * as LeadClient from '../../temporal/lead-lifecycle-client.ts';
import type { ClaimOutcome, ClaimRequest } from '../../workflows/contracts/lead-lifecycle.ts';
import { warnOfLimits } from '../agent/find-agent.ts';
import { OperatorError, withTemporal, type Operator } from '../operator.ts';

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

/** A claim never changes the owner of an assigned lead, so such a lead refuses every later claim. */
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
 * Starts the workflow if none is open. If the run completes first, the next run gets the same Update by its id. Sends
 * an Update again if the workflow rejected it for having too many, or an overloaded server gave it up, unless
 * `readOutcome` knows the outcome by then.
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

/** A restarted worker gets the Update only if a worker had accepted it: Temporal keeps other Updates in memory. */
const OUTLOOK =
  'The request may still be carried out when a worker is back, or be lost: look at the lead before you try again. ' +
  'What was carried out is taken back by leadctl lead undo, or by reroute, pool or assign.';

function pauseMs(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * Math.random();
}
