import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readClaimState } from '../../store/assignment/read-assignment.ts';
import { readLeadOverview } from '../../store/leads/lead-overview.ts';
import type { AgentIdentity } from '../../store/routing/agents.ts';
import { claimLead, isBusy, isRunEnding } from '../../temporal/lead-lifecycle-client.ts';
import type { ClaimOutcome, ClaimRequest } from '../../workflows/contracts/lead-lifecycle.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { refusalText } from '../views/lead.ts';
import { withTemporal } from '../with-temporal.ts';

const DEADLINE_MS = 30_000;
const MAX_ENDING_RUNS = 5;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 6000;

/** An agent takes a lead out of a pool; of many concurrent claims one wins. */
export async function claimForAgent(operator: Operator, leadId: string, agent: AgentIdentity) {
  const claim = { agentId: agent.id, claimId: randomUUID() };
  const outcome = await sendClaim(operator, leadId, claim);
  if (!outcome.claimed) {
    const database = await operator.database();
    const lead = await readLeadOverview(database, leadId, operator.config.companyName);
    const holder = lead?.holder?.name ?? 'an agent';
    throw new OperatorError(refusalText(outcome, { leadId, agent: agent.name, holder }));
  }
  operator.show({ leadId, ...outcome, agent }, () => `${agent.name} holds lead ${leadId} now.`);
}

/**
 * Sends the claim as an Update of the lead's workflow, which starts when none is open: a lead may have waited
 * in its pool for months. When the run completes first, the next one gets the same claim by its id. A workflow
 * admits few Updates at once and rejects the others: they are sent again unless the lead has a holder by then.
 */
export async function sendClaim(
  operator: Operator,
  leadId: string,
  claim: ClaimRequest,
  deadlineMs = DEADLINE_MS,
): Promise<ClaimOutcome> {
  return withTemporal(operator, deadlineMs, async (client) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await claimLead(client, leadId, claim);
      } catch (error) {
        const isTransient = isBusy(error) || (isRunEnding(error) && attempt < MAX_ENDING_RUNS);
        if (!isTransient) throw error;
      }
      const outcome = await readOutcome(operator, leadId, claim);
      if (outcome) return outcome;
      await sleep(pauseMs(attempt));
    }
  });
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

/** With jitter, so that rejected claims do not all return at once. */
function pauseMs(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * Math.random();
}
