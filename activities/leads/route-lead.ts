import { assertNever } from '../../domain/assert-never.ts';
import { decide } from '../../domain/routing/decide.ts';
import { routingDefaults } from '../../domain/routing/decision.ts';
import { summarise } from '../../domain/routing/summarise.ts';
import type { Decision } from '../../domain/routing/types.ts';
import type { Sql } from '../../store/db/database.ts';
import { lockLead, routingFacts } from '../../store/assignment/lock-lead.ts';
import type { LockedLead } from '../../store/assignment/lock-lead.ts';
import { readDecisionNames } from '../../store/routing/names.ts';
import { readChosenAgent } from '../../store/routing/read-agent.ts';
import { createLeadSnapshotReader } from '../../store/leads/read-lead-snapshot.ts';
import { recordTransition } from '../../store/assignment/record-transition.ts';
import type { AssignmentRecord } from '../../store/assignment/record-transition.ts';
import { takeRoster } from '../../store/routing/roster.ts';
import type { LeadSnapshot } from '../../workflows/contracts/lead-snapshot.ts';
import type { ActivityContext } from '../context.ts';

/**
 * Routes a lead that is pending and returns it as it stands. A round has one outcome: run twice, it
 * returns what it wrote.
 */
export function createRouteLead(
  context: ActivityContext,
  readSnapshot = createLeadSnapshotReader(context.database, context.config.companyName),
) {
  return async ({ leadId }: { leadId: string }): Promise<LeadSnapshot | null> => {
    await context.database.transaction(async (sql) => {
      const locked = await lockLead(sql, leadId);
      if (locked?.lead.assignment_status === 'pending') await routePending(context, sql, locked);
    });
    return readSnapshot(leadId);
  };
}

async function routePending(context: ActivityContext, sql: Sql, locked: LockedLead): Promise<void> {
  const facts = { ...routingFacts(locked), excludedAgentIds: [] };
  const ruleset = await context.rulesets.byVersion(sql, locked.rulesetVersion);
  const { roster, now } = await takeRoster(sql, facts, ruleset, context.now);
  const decision = decide(facts, ruleset, roster, now, routingDefaults(context.config));
  const names = await readDecisionNames(sql, decision);
  await recordTransition(sql, {
    lead: locked.lead,
    move: 0,
    ...(await outcomeOf(sql, decision)),
    decidedBy: 'rules',
    ruleName: decision.ruleName,
    rulesetVersion: locked.rulesetVersion,
    reason: `${summarise(decision.explanation, names).join('. ')}.`,
    decision: { facts, roster, explanation: decision.explanation },
    now,
    newId: context.newId,
  });
}

type Outcome = Pick<AssignmentRecord, 'outcome' | 'followUp' | 'rotation'>;

async function outcomeOf(sql: Sql, decision: Decision): Promise<Outcome> {
  switch (decision.kind) {
    case 'assigned': {
      const agent = await readChosenAgent(sql, decision.agentId);
      return {
        outcome: { status: 'assigned', agent },
        followUp: decision.followUp,
        rotation: decision.rotation,
      };
    }
    case 'pool':
      return { outcome: { status: 'pool', poolId: decision.poolId }, followUp: null };
    case 'unassigned':
      return { outcome: { status: 'unassigned' }, followUp: null };
    default:
      return assertNever(decision);
  }
}
