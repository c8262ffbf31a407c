import { ApplicationFailure } from '@temporalio/common';
import { allows } from '../../domain/assignment/transitions.ts';
import {
  followUpAfterClaim,
  followUpMsOf,
  routingDefaults,
} from '../../domain/routing/follow-up.ts';
import { readAgent, readAgentCalendar } from '../../store/routing/agents.ts';
import { isClaimRecorded } from '../../store/assignment/read-assignment.ts';
import { lockLead } from '../../store/assignment/lock-lead.ts';
import { recordTransition } from '../../store/assignment/record-transition.ts';
import type { Sql } from '../../store/db/database.ts';
import type {
  ClaimOutcome,
  ClaimRefusal,
  ClaimRequest,
} from '../../workflows/contracts/lead-lifecycle.ts';
import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import { logTrace, type ActivityContext } from '../context.ts';

export async function claimLead(
  { rulesets, config, now, newId }: ActivityContext,
  sql: Sql,
  { leadId, agentId, claimId }: ClaimRequest & { leadId: string },
): Promise<ClaimOutcome> {
  const locked = await lockLead(sql, leadId);
  if (!locked) return refuse('unknown_lead', 'unassigned');
  logTrace(locked.lead.traceparent);
  // A claim that is retried after a lost response is the same claim.
  const isRecorded = await isClaimRecorded(sql, { claimId, leadId, agentId });
  if (isRecorded === false)
    throw ApplicationFailure.nonRetryable('claimId is that of another claim.', 'OtherClaim');
  if (isRecorded) return { claimed: true, agentId };
  const { lead, current } = locked;
  const status = lead.assignment_status;
  const agent = await readAgent(sql, agentId);
  if (!agent) return refuse('unknown_agent', status);
  if (!agent.active) return refuse('agent_not_active', status);
  if (!allows(status, 'claimed')) {
    return refuse(lead.owner_id ? 'held_by_another' : 'not_in_pool', status);
  }
  const rule = await rulesets.assigningRule(sql, current);
  const followUp = followUpAfterClaim(rule, routingDefaults(config));
  const at = now();
  const followUpMs = followUpMsOf(followUp, await readAgentCalendar(sql, agentId, at), at);
  const event = { kind: 'claimed', agent, followUpMs } as const;
  await recordTransition(sql, locked, { event, now: at, newId, followUp, claimId });
  return { claimed: true, agentId };
}

function refuse(reason: ClaimRefusal, status: LeadStatus): ClaimOutcome {
  return { claimed: false, reason, status };
}
