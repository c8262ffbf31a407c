import { decideExpiry, followUpMsOf } from '../../domain/routing/follow-up.ts';
import { whyNobody } from '../../domain/routing/decision.ts';
import { readAgentCalendar } from '../../store/routing/agents.ts';
import { lockLead, type LockedLead } from '../../store/assignment/lock-lead.ts';
import { recordTransition } from '../../store/assignment/record-transition.ts';
import { moveFollowUp } from '../../store/leads/write-lead.ts';
import type { Sql } from '../../store/db/database.ts';
import type { ExpireFollowUpInput } from '../../workflows/contracts/lead-lifecycle.ts';
import { logTrace, retryAfter, type ActivityContext } from '../context.ts';
import {
  isBehind,
  matchExpired,
  queueBehind,
  recordDecision,
  type Routable,
  routeByRules,
} from './route-lead.ts';

/** Retried at the right time if the worker's clock is behind Temporal's. */
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
  const dueAt = await dueByCalendar(sql, locked);
  if (dueAt && dueAt > now()) return moveFollowUp(sql, input.leadId, dueAt);
  const { lead, current } = locked;
  const event = decideExpiry(current?.followUp ?? null, lead.moves);
  const expired = event === 'reassign' ? await matchExpired(context, sql, locked) : null;
  if (expired) return reassignLead(context, sql, expired);
  await recordTransition(sql, locked, {
    event: event === 'reassign' ? NOTE_ONLY : event,
    now: now(),
    newId,
    ruleName: current?.ruleName ?? null,
    rulesetVersion: current?.rulesetVersion ?? null,
  });
}

const NOTE_ONLY = { kind: 'follow_up_expired', why: { kind: 'note_only' } } as const;

function dueTimeOf({ lead }: LockedLead, { round, moves }: ExpireFollowUpInput) {
  const due = lead.follow_up_due_at;
  return lead.round !== round || lead.moves !== moves || due === null ? null : Date.parse(due);
}

async function dueByCalendar(sql: Sql, { lead, current }: LockedLead): Promise<Date | null> {
  const { owner_id: agentId, assigned_at: since } = lead;
  if (current?.followUp?.clock !== 'working' || !agentId || !since) return null;
  const start = new Date(since);
  const calendar = await readAgentCalendar(sql, agentId, start);
  return new Date(start.getTime() + followUpMsOf(current.followUp, calendar, start));
}

const OTHERS_FIRST = ['Leads that came before it go first'];

async function reassignLead(context: ActivityContext, sql: Sql, lead: Routable): Promise<void> {
  const routed = await routeByRules(context, sql, lead);
  const { decision, now } = routed;
  const isQueued = await isBehind(context, sql, lead, routed);
  if (isQueued || decision.kind === 'waiting') {
    const lines = decision.kind === 'waiting' ? whyNobody(decision.explanation) : OTHERS_FIRST;
    const event = { kind: 'follow_up_expired', why: { kind: 'nobody_else', lines } } as const;
    await recordTransition(sql, lead.locked, { event, now, newId: context.newId });
  }
  if (isQueued) await queueBehind(sql, lead, routed);
  else await recordDecision(context, sql, lead, routed);
}
