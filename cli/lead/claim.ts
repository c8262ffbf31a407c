import { randomUUID } from 'node:crypto';
import { readClaimState } from '../../store/assignment/read-assignment.ts';
import { readLeadOverview } from '../../store/leads/lead-overview.ts';
import type { AgentIdentity } from '../../store/routing/agents.ts';
import type { ClaimOutcome, ClaimRequest } from '../../workflows/contracts/lead-lifecycle.ts';
import { warnOfLimits } from '../agent/find-agent.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { refusalText } from '../views/lead.ts';
import { sendUpdate, UPDATE_DEADLINE_MS } from './send-update.ts';

/** An agent takes a lead out of a pool; of many concurrent claims one wins. */
export async function claimForAgent(operator: Operator, leadId: string, agent: AgentIdentity) {
  const claim = { agentId: agent.id, claimId: randomUUID() };
  const warnings = await warnOfLimits(operator, agent);
  const outcome = await sendClaim(operator, leadId, claim);
  if (!outcome.claimed) {
    const database = await operator.database();
    const lead = await readLeadOverview(database, leadId, operator.config.companyName);
    const holder = lead?.holder?.name ?? 'an agent';
    throw new OperatorError(refusalText(outcome, { leadId, agent: agent.name, holder }));
  }
  operator.show({ leadId, ...outcome, agent, warnings }, (shown) =>
    [`${shown.agent.name} holds lead ${leadId} now.`, ...warnings].join('\n'),
  );
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
