import { allows } from '../../domain/assignment/transitions.ts';
import {
  followUpAfterClaim,
  followUpMsOf,
  routingDefaults,
} from '../../domain/routing/follow-up.ts';
import { agentCalendar } from '../../domain/routing/roster.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import { logTrace } from '../../platform/log-fields.ts';
import { type LockedLead, lockLead } from '../../store/assignment/lock-lead.ts';
import { isClaimRecorded } from '../../store/assignment/read-assignment.ts';
import type { Sql } from '../../store/db/database.ts';
import type {
  ClaimOutcome,
  ClaimRefusal,
  ClaimRequest,
} from '../../workflows/contracts/lead-lifecycle.ts';
import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import type { LockedRoster } from '../../store/routing/decisions.ts';
import { type AssignmentContext, changeLeads, type Decided, NOBODY } from './change-leads.ts';

interface ClaimedLead extends LockedLead {
  /** Null: no claim has this id. False: a claim of another agent or lead has it. */
  isRecorded: boolean | null;
  rule: Rule | null;
}

export async function claimLead(
  context: AssignmentContext,
  sql: Sql,
  claim: ClaimRequest & { leadId: string },
): Promise<ClaimOutcome | 'other_claim'> {
  const { leadId, agentId } = claim;
  const { outcomes } = await changeLeads(context, sql, {
    async lock(sql): Promise<ClaimedLead[]> {
      const locked = await lockLead(sql, leadId);
      logTrace(locked?.lead.traceparent);
      if (!locked) return [];
      const isRecorded = await isClaimRecorded(sql, claim);
      const rule = await context.rulesets.assigningRule(sql, locked.current);
      return [{ ...locked, isRecorded, rule }];
    },
    reach: ({ isRecorded }) => (isRecorded === null ? { ...NOBODY, agentIds: [agentId] } : null),
    decide: (lead, at) => decideClaim(context, lead, claim, at),
  });
  return outcomes.get(leadId) ?? refuse('unknown_lead', 'unassigned').outcome;
}

function decideClaim(
  { config }: AssignmentContext,
  { lead, isRecorded, rule }: ClaimedLead,
  { agentId, claimId }: ClaimRequest,
  { people, roster, now }: LockedRoster,
): Decided<ClaimOutcome | 'other_claim'> {
  if (isRecorded === false) return { outcome: 'other_claim' };
  // A claim that is retried after a lost response is the same claim.
  const outcome = { claimed: true, agentId } as const;
  if (isRecorded) return { outcome };
  const status = lead.assignment_status;
  const agent = people.get(agentId);
  if (!agent) return refuse('unknown_agent', status);
  if (!agent.active) return refuse('agent_not_active', status);
  if (!allows(status, 'claimed'))
    return refuse(lead.owner_id ? 'held_by_another' : 'not_in_pool', status);
  const followUp = followUpAfterClaim(rule, routingDefaults(config));
  const followUpMs = followUpMsOf(followUp, agentCalendar(roster, agentId), now);
  return { outcome, cause: { kind: 'claimed', agent, followUpMs }, because: { followUp, claimId } };
}

function refuse(reason: ClaimRefusal, status: LeadStatus) {
  return { outcome: { claimed: false, reason, status } } as const;
}
