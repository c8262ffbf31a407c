import { routingDefaults } from '../../domain/routing/decision.ts';
import type { FollowUp } from '../../domain/routing/decision.ts';
import type { Sql } from '../../store/db/database.ts';
import { lockLead } from '../../store/assignment/lock-lead.ts';
import type { CurrentAssignment, LockedLead } from '../../store/assignment/lock-lead.ts';
import { readAgent } from '../../store/routing/read-agent.ts';
import { recordTransition } from '../../store/assignment/record-transition.ts';
import type {
  ClaimOutcome,
  ClaimRefusal,
  ClaimRequest,
} from '../../workflows/contracts/lead-lifecycle.ts';
import type { ActivityContext } from '../context.ts';
import { readAssigningRule } from './assigning-rule.ts';

/** An agent takes a lead out of a pool. Of many claims one wins; the others are told why not. */
export function createClaimLead(context: ActivityContext) {
  return async ({ leadId, ...claim }: ClaimRequest & { leadId: string }): Promise<ClaimOutcome> =>
    context.database.transaction(async (sql) => {
      const locked = await lockLead(sql, leadId);
      if (!locked) return refuse('unknown_lead', 'unassigned');
      if (await isMadeAlready(sql, claim.claimId)) return { claimed: true, agentId: claim.agentId };
      return claimLocked(context, sql, locked, claim);
    });
}

async function claimLocked(
  context: ActivityContext,
  sql: Sql,
  { lead, current }: LockedLead,
  { agentId, claimId }: ClaimRequest,
): Promise<ClaimOutcome> {
  const agent = await readAgent(sql, agentId);
  if (!agent) return refuse('unknown_agent', lead.assignment_status);
  if (!agent.active) return refuse('agent_not_active', lead.assignment_status);
  if (lead.owner_id) return refuse('held_by_another', lead.assignment_status);
  if (lead.assignment_status !== 'pool') return refuse('not_in_pool', lead.assignment_status);
  await recordTransition(sql, {
    lead,
    move: lead.moves + 1,
    outcome: { status: 'assigned', agent },
    decidedBy: 'claim',
    ruleName: null,
    rulesetVersion: null,
    reason: `Claimed from the pool by agent ${agent.id}.`,
    followUp: await clockOfClaim(context, sql, current),
    claimId,
    now: context.now(),
    newId: context.newId,
  });
  return { claimed: true, agentId };
}

/** The minutes of the rule that left the lead in its pool. Nobody else is tried after the one who asked. */
async function clockOfClaim(
  context: ActivityContext,
  sql: Sql,
  current: CurrentAssignment | null,
): Promise<FollowUp> {
  const rule = await readAssigningRule(context, sql, current);
  const minutes = rule?.followUp.minutes ?? routingDefaults(context.config).followUpMinutes;
  return { minutes, onExpiry: 'note', maxMoves: 0, poolId: null };
}

/** A claim whose answer was lost and which is asked again is the same claim. */
async function isMadeAlready(sql: Sql, claimId: string): Promise<boolean> {
  const rows = await sql.query(`select id from assignments where claim_id = $1`, [claimId]);
  return rows.length > 0;
}

function refuse(
  reason: ClaimRefusal,
  status: Extract<ClaimOutcome, { claimed: false }>['status'],
): ClaimOutcome {
  return { claimed: false, reason, status };
}
