import { assertNever } from '../../domain/assert-never.ts';
import { routingDefaults } from '../../domain/routing/decision.ts';
import { reassign } from '../../domain/routing/reassign.ts';
import { summarise, whyNobody } from '../../domain/routing/summarise.ts';
import type { Sql } from '../../store/db/database.ts';
import { buildTimelineRow } from '../../store/leads/timeline-rows.ts';
import { changeLead } from '../../store/leads/write-lead.ts';
import { lockLead, routingFacts } from '../../store/assignment/lock-lead.ts';
import type { CurrentAssignment, LockedLead } from '../../store/assignment/lock-lead.ts';
import { readDecisionNames } from '../../store/routing/names.ts';
import { readChosenAgent } from '../../store/routing/read-agent.ts';
import { createLeadSnapshotReader } from '../../store/leads/read-lead-snapshot.ts';
import { recordTransition } from '../../store/assignment/record-transition.ts';
import { takeRoster } from '../../store/routing/roster.ts';
import type { ExpireFollowUpInput } from '../../workflows/contracts/lead-lifecycle.ts';
import type { LeadSnapshot } from '../../workflows/contracts/lead-snapshot.ts';
import type { ActivityContext } from '../context.ts';
import { readAssigningRule } from './assigning-rule.ts';

/**
 * The response clock of an assignment ran out: a note, and where the rule says so the next agent or a
 * pool. The clock of another assignment, or one that a response stopped, comes to nothing.
 */
export function createExpireFollowUp(
  context: ActivityContext,
  readSnapshot = createLeadSnapshotReader(context.database, context.config.companyName),
) {
  return async (input: ExpireFollowUpInput): Promise<LeadSnapshot | null> => {
    await context.database.transaction(async (sql) => {
      const locked = await lockLead(sql, input.leadId);
      if (locked && isDue(locked, input, context.now())) await expire(context, sql, locked);
    });
    return readSnapshot(input.leadId);
  };
}

function isDue({ lead }: LockedLead, { round, moves }: ExpireFollowUpInput, now: Date): boolean {
  const due = lead.follow_up_due_at;
  return (
    lead.round === round && lead.moves === moves && due !== null && Date.parse(due) <= now.getTime()
  );
}

async function expire(context: ActivityContext, sql: Sql, locked: LockedLead): Promise<void> {
  const followUp = locked.current?.followUp ?? null;
  const action = followUp?.onExpiry ?? 'note';
  switch (action) {
    case 'note':
      return keepOwner(context, sql, locked, 'No response in time.');
    case 'reassign':
      return reassignLead(context, sql, locked, locked.current);
    case 'pool':
      return followUp?.poolId
        ? moveToPool(context, sql, locked, followUp.poolId)
        : keepOwner(context, sql, locked, 'No response in time; the rule names no pool.');
    default:
      return assertNever(action);
  }
}

/** The lead stays where it is and no clock runs any more. */
async function keepOwner(
  { now, newId }: ActivityContext,
  sql: Sql,
  { lead }: LockedLead,
  text: string,
): Promise<void> {
  const at = now();
  await changeLead(sql, lead.id, {
    change: { follow_up_due_at: null, updated_at: at.toISOString() },
    timeline_notes: [
      buildTimelineRow({ leadId: lead.id, now: at, newId, kind: 'follow_up', text }),
    ],
  });
}

async function reassignLead(
  context: ActivityContext,
  sql: Sql,
  locked: LockedLead,
  current: CurrentAssignment | null,
): Promise<void> {
  const { lead } = locked;
  const rule = await readAssigningRule(context, sql, current);
  if (!current || !rule) return keepOwner(context, sql, locked, 'No response in time.');
  if (lead.moves >= (current.followUp?.maxMoves ?? 0)) {
    const moves = `${lead.moves} ${lead.moves === 1 ? 'move' : 'moves'}`;
    return keepOwner(context, sql, locked, `No response in time; after ${moves} it stays.`);
  }
  const facts = routingFacts(locked);
  const ruleset = { rules: [{ ...rule, when: [] }] };
  const { roster, now } = await takeRoster(sql, facts, ruleset, context.now);
  const next = reassign(rule, facts, roster, now, routingDefaults(context.config));
  if (next.kind === 'none') {
    const why = whyNobody(next.explanation).join('. ');
    return keepOwner(context, sql, locked, `No response in time and nobody else. ${why}.`);
  }
  const why = summarise(next.explanation, await readDecisionNames(sql, next)).join('. ');
  await recordTransition(sql, {
    lead,
    move: lead.moves + 1,
    outcome: { status: 'assigned', agent: await readChosenAgent(sql, next.agentId) },
    decidedBy: 'follow_up',
    ruleName: rule.name,
    rulesetVersion: current.rulesetVersion,
    reason: `No response in time. ${why}.`,
    followUp: next.followUp,
    decision: { facts, roster, explanation: next.explanation },
    rotation: next.rotation,
    now,
    newId: context.newId,
  });
}

async function moveToPool(
  { now, newId }: ActivityContext,
  sql: Sql,
  { lead, current }: LockedLead,
  poolId: string,
): Promise<void> {
  await recordTransition(sql, {
    lead,
    move: lead.moves + 1,
    outcome: { status: 'pool', poolId },
    decidedBy: 'follow_up',
    ruleName: current?.ruleName ?? null,
    rulesetVersion: current?.rulesetVersion ?? null,
    reason: 'No response in time: left in the pool that the rule names.',
    followUp: null,
    now: now(),
    newId,
  });
}
