import { assertNever } from '../../domain/assert-never.ts';
import { allows } from '../../domain/assignment/transitions.ts';
import { decide } from '../../domain/routing/decide.ts';
import type { Decision } from '../../domain/routing/decision.ts';
import { followUpMsOf, routingDefaults } from '../../domain/routing/follow-up.ts';
import { candidatesOf, matchRules } from '../../domain/routing/match-rules.ts';
import { summarise } from '../../domain/routing/summarise.ts';
import { readChosenAgent } from '../../store/routing/agents.ts';
import { readDecisionNames } from '../../store/routing/names.ts';
import { lockAndReadRoster } from '../../store/routing/roster.ts';
import { lockLead, routingFacts } from '../../store/assignment/lock-lead.ts';
import { recordTransition, type EventWithFacts } from '../../store/assignment/record-transition.ts';
import type { Sql } from '../../store/db/database.ts';
import type { ActivityContext } from '../context.ts';

/** Routes a pending lead. A round has one outcome: a second run changes nothing. */
export async function routeLead(
  { rulesets, config, newId, now: clock }: ActivityContext,
  sql: Sql,
  leadId: string,
): Promise<void> {
  const locked = await lockLead(sql, leadId);
  if (!locked || !allows(locked.lead.assignment_status, 'routed_to_agent')) return;
  const { lead, rulesetVersion } = locked;
  const facts = { ...routingFacts(locked), excludedAgentIds: [] };
  const matched = matchRules(facts, await rulesets.byVersion(sql, rulesetVersion));
  const { roster, now } = await lockAndReadRoster(sql, candidatesOf(matched), clock);
  const decision = decide(matched, roster, now, routingDefaults(config));
  const { ruleName, explanation } = decision;
  await recordTransition(sql, lead, {
    now,
    newId,
    ruleName,
    rulesetVersion,
    ...(await toEvent(sql, decision)),
    decision: { facts, roster, explanation },
  });
}

async function toEvent(sql: Sql, decision: Decision): Promise<EventWithFacts> {
  const why = summarise(decision.explanation, await readDecisionNames(sql, decision));
  switch (decision.kind) {
    case 'assigned': {
      const { followUp, rotation } = decision;
      const agent = await readChosenAgent(sql, decision.agentId);
      const followUpMs = followUpMsOf(followUp);
      return { event: { kind: 'routed_to_agent', why, agent, followUpMs }, followUp, rotation };
    }
    case 'pool':
      return { event: { kind: 'routed_to_pool', why, poolId: decision.poolId } };
    case 'unassigned':
      return { event: { kind: 'left_unassigned', why } };
    default:
      return assertNever(decision);
  }
}
