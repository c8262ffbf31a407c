import { decideExpiry, routingDefaults } from '../../domain/routing/follow-up.ts';
import { targetsOf } from '../../domain/routing/match-rules.ts';
import { reassign } from '../../domain/routing/decide.ts';
import { summarise, whyNobody } from '../../domain/routing/decision.ts';
import { readDecisionNames } from '../../store/routing/names.ts';
import { lockAndReadRoster, requireAgent } from '../../store/routing/roster.ts';
import { lockLead, routingFacts, type LockedLead } from '../../store/assignment/lock-lead.ts';
import { recordTransition, type EventWithFacts } from '../../store/assignment/record-transition.ts';
import type { Sql } from '../../store/db/database.ts';
import type { ExpireFollowUpInput } from '../../workflows/contracts/lead-lifecycle.ts';
import { logTrace, retryAfter, type ActivityContext } from '../context.ts';
import { factsTime } from './route-lead.ts';

/**
 * Ends the response clock of an assignment: writes a note, and moves the lead to the next agent or a pool if the rule
 * says so. The clock of another assignment, or one that a response stopped, changes nothing. The activity is retried at
 * the right time if the worker's clock is behind Temporal's, whose timer fired.
 */
export async function expireFollowUp(
  context: ActivityContext,
  sql: Sql,
  input: ExpireFollowUpInput,
): Promise<void> {
  const { now, newId } = context;
  const locked = await lockLead(sql, input.leadId);
  logTrace(locked?.lead.traceparent);
  const dueAtMs = locked && dueTimeOf(locked, input);
  if (!locked || dueAtMs === null) return;
  const leftMs = dueAtMs - now().getTime();
  if (leftMs > 0)
    throw retryAfter('NotOverYet', leftMs, `${leftMs} ms are left by the worker's clock.`);
  const { lead, current } = locked;
  const event = decideExpiry(current?.followUp ?? null, lead.moves);
  const decided =
    event === 'reassign' ? await reassignLead(context, sql, locked, dueAtMs) : { event };
  await recordTransition(sql, locked, {
    now: now(),
    newId,
    ruleName: current?.ruleName ?? null,
    rulesetVersion: current?.rulesetVersion ?? null,
    ...decided,
  });
}

/** When the clock that the input names ends, in milliseconds since 1970. Null if it no longer runs. */
function dueTimeOf({ lead }: LockedLead, { round, moves }: ExpireFollowUpInput) {
  const due = lead.follow_up_due_at;
  return lead.round !== round || lead.moves !== moves || due === null ? null : Date.parse(due);
}

async function reassignLead(
  context: ActivityContext,
  sql: Sql,
  locked: LockedLead,
  dueAtMs: number,
): Promise<EventWithFacts> {
  const rule = await context.rulesets.assigningRule(sql, locked.current);
  if (!rule) return { event: { kind: 'follow_up_expired', why: { kind: 'note_only' } } };
  // Exclusions that end with the follow-up still hold just before: its move cannot return the lead to an agent from whom
  // an operator took it.
  const justBefore = { ...factsTime(context), now: new Date(dueAtMs - 1) };
  const facts = routingFacts(locked, justBefore);
  const { roster, people, now } = await lockAndReadRoster(sql, targetsOf([rule]), context.now);
  const next = reassign(rule, facts, roster, now, routingDefaults(context.config));
  const { explanation } = next;
  if (next.kind === 'none') {
    const why = { kind: 'nobody_else', lines: whyNobody(explanation) } as const;
    return { event: { kind: 'follow_up_expired', why }, now };
  }
  const { followUp, followUpMs, rotation } = next;
  const why = summarise(explanation, await readDecisionNames(sql, next));
  const agent = requireAgent(people, next.agentId);
  const decision = { facts, roster, explanation };
  const event = { kind: 'follow_up_reassigned', why, agent, followUpMs } as const;
  return { event, decision, followUp, rotation, now };
}
