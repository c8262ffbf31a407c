import { randomUUID } from 'node:crypto';
import { assertNever } from '../../domain/assert-never.ts';
import { readLeadOverview } from '../../store/leads/lead-overview.ts';
import type { ClaimOutcome } from '../../workflows/contracts/lead-lifecycle.ts';
import { findAgentByEmail } from '../agent.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { existingLead } from './existing-lead.ts';
import { sendClaim } from './send-claim.ts';

/** An agent takes a lead out of a pool; of many at once one wins and the others hear why not. */
export async function claimLead(
  operator: Operator,
  id: string,
  { agent: email }: { agent: string },
): Promise<void> {
  const leadId = await existingLead(operator, id);
  const agent = await findAgentByEmail(operator, email);
  const claim = { agentId: agent.id, claimId: randomUUID() };
  const outcome = await sendClaim(operator, leadId, claim);
  if (!outcome.claimed) {
    throw new OperatorError(await refusalText(operator, outcome, leadId, agent.name));
  }
  operator.show({ leadId, ...outcome, agent }, () => `${agent.name} holds lead ${leadId} now.`);
}

type Refusal = Extract<ClaimOutcome, { claimed: false }>;

async function holderOf(operator: Operator, leadId: string): Promise<string> {
  const database = await operator.database();
  const lead = await readLeadOverview(database, leadId, operator.config.companyName);
  return lead?.holder?.name ?? 'an agent';
}

async function refusalText(
  operator: Operator,
  { reason, status }: Refusal,
  leadId: string,
  agent: string,
): Promise<string> {
  switch (reason) {
    case 'unknown_lead':
      return `There is no lead ${leadId}.`;
    case 'not_in_pool':
      return `Lead ${leadId} cannot be claimed: it is ${status}, not in a pool.`;
    case 'held_by_another':
      return `Lead ${leadId} cannot be claimed: ${await holderOf(operator, leadId)} holds it already.`;
    case 'unknown_agent':
      return `Lead ${leadId} cannot be claimed: the agent is not there any more.`;
    case 'agent_not_active':
      return `Lead ${leadId} cannot be claimed: ${agent} is not active.`;
    default:
      return assertNever(reason);
  }
}
