import { assertNever } from '../../domain/assert-never.ts';
import { allows, requireTransition } from '../../domain/assignment/transitions.ts';
import type { AssignmentEvent } from '../../domain/assignment/assignment-event.ts';
import { decide } from '../../domain/routing/decide.ts';
import type { Decision } from '../../domain/routing/decision.ts';
import { followUpMsOf, routingDefaults } from '../../domain/routing/follow-up.ts';
import { candidatesOf, matchRules } from '../../domain/routing/match-rules.ts';
import { summarise } from '../../domain/routing/summarise.ts';
import { readChosenAgent } from '../../store/routing/agents.ts';
import { readDecisionNames } from '../../store/routing/names.ts';
import { lockAndReadRoster } from '../../store/routing/roster.ts';
import { lockLead, routingFacts, type LockedLead } from '../../store/assignment/lock-lead.ts';
import {
  assignmentStateOf,
  recordTransition,
  type TransitionFacts,
} from '../../store/assignment/record-transition.ts';
import type { Sql } from '../../store/db/database.ts';
import { createLeadSnapshotReader } from '../../store/leads/read-lead-snapshot.ts';
import type { LeadSnapshot } from '../../workflows/contracts/lead-snapshot.ts';
import type { ActivityContext } from '../context.ts';

/** Routes a pending lead and returns its snapshot. A round has one outcome: run twice, it returns that. */
export function createRouteLead(
  context: ActivityContext,
  readSnapshot = createLeadSnapshotReader(context.database, context.config.companyName),
) {
  return async ({ leadId }: { leadId: string }): Promise<LeadSnapshot | null> => {
    await context.database.transaction(async (sql) => {
      const locked = await lockLead(sql, leadId);
      if (locked && allows(locked.lead.assignment_status, 'routed_to_agent')) {
        await routePending(context, sql, locked);
      }
    });
    return readSnapshot(leadId);
  };
}

async function routePending(context: ActivityContext, sql: Sql, locked: LockedLead): Promise<void> {
  const { lead, rulesetVersion } = locked;
  const facts = { ...routingFacts(locked), excludedAgentIds: [] };
  const matched = matchRules(facts, await context.rulesets.byVersion(sql, rulesetVersion));
  const { roster, now } = await lockAndReadRoster(sql, candidatesOf(matched), context.now);
  const decision = decide(matched, roster, now, routingDefaults(context.config));
  const event = await eventOf(sql, decision);
  await recordTransition(sql, lead, requireTransition(assignmentStateOf(lead), event), {
    ...{ now, newId: context.newId, ruleName: decision.ruleName, rulesetVersion },
    ...termsOf(decision),
    decision: { facts, roster, explanation: decision.explanation },
  });
}

function termsOf(decision: Decision): Pick<TransitionFacts, 'followUp' | 'rotation'> {
  if (decision.kind !== 'assigned') return {};
  return { followUp: decision.followUp, rotation: decision.rotation };
}

async function eventOf(sql: Sql, decision: Decision): Promise<AssignmentEvent> {
  const why = summarise(decision.explanation, await readDecisionNames(sql, decision));
  switch (decision.kind) {
    case 'assigned': {
      const agent = await readChosenAgent(sql, decision.agentId);
      return { kind: 'routed_to_agent', why, agent, followUpMs: followUpMsOf(decision.followUp) };
    }
    case 'pool':
      return { kind: 'routed_to_pool', why, poolId: decision.poolId };
    case 'unassigned':
      return { kind: 'left_unassigned', why };
    default:
      return assertNever(decision);
  }
}
