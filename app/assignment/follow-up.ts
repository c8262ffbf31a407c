import type { AssignmentCause } from '../../domain/assignment/assignment-cause.ts';
import { whyNobody } from '../../domain/routing/decision.ts';
import { decideExpiry, followUpMsOf } from '../../domain/routing/follow-up.ts';
import { logTrace } from '../../platform/log-fields.ts';
import { type LockedLead, lockLead } from '../../store/assignment/lock-lead.ts';
import type { Sql } from '../../store/db/database.ts';
import { readAgentCalendar } from '../../store/routing/agents.ts';
import type { ExpireFollowUpInput } from '../../workflows/contracts/lead-lifecycle.ts';
import type { LockedRoster } from '../../store/routing/decisions.ts';
import { type AssignmentContext, changeLeads, type Decided, NOBODY } from './change-leads.ts';
import { isBehind } from './order-of-arrival.ts';
import {
  agentsFor,
  decideRouting,
  matchExpired,
  placeByRules,
  reachOf,
  type Routable,
  type Routing,
} from './route.ts';

interface ExpiredLead extends LockedLead {
  /** Null if something else happened to the lead since. */
  dueAt: Date | null;
  /** The deadline by the calendar of this moment, if the clock counts working time. */
  dueByCalendar: Date | null;
  /** If another agent of the rule is to be chosen. */
  successor: Routable | null;
  /** What follows if no successor is to be chosen. */
  expiry: AssignmentCause;
}

/** `leftMs`: the worker's clock is behind Temporal's. `routing`: the rules looked for a successor. */
interface Expiry {
  leftMs: number;
  routing?: Routing;
}

const DONE: Expiry = { leftMs: 0 };

/** Returns how many ms are left until the deadline: 0 if the expiry is done. */
export async function expireFollowUp(
  context: AssignmentContext,
  sql: Sql,
  input: ExpireFollowUpInput,
): Promise<number> {
  const { outcomes } = await changeLeads(context, sql, {
    lock: (sql) => lockExpired(context, sql, input),
    reach: ({ dueAt, successor, expiry }) => {
      if (successor) return reachOf(successor);
      return dueAt && 'poolId' in expiry ? { ...NOBODY, poolIds: [expiry.poolId] } : null;
    },
    decide: (lead, at) => decideExpired(context, lead, at),
    async goBehind(sql, { successor }, { outcome: { routing } }, { now }) {
      if (!successor || !routing) return null;
      if (!(await isBehind(context, sql, successor, routing, now))) return null;
      const { decision } = routing;
      const lines = decision.kind === 'waiting' ? whyNobody(decision.explanation) : OTHERS_FIRST;
      const queue = { dueAt: now, reach: agentsFor(successor, routing) };
      return { outcome: DONE, cause: keepOwner(lines), queue };
    },
  });
  return outcomes.get(input.leadId)?.leftMs ?? 0;
}

const OTHERS_FIRST = ['Leads that came before it go first'];
const NOTE_ONLY = { kind: 'follow_up_expired', why: { kind: 'note_only' } } as const;

const keepOwner = (lines: readonly string[]) =>
  ({ kind: 'follow_up_expired', why: { kind: 'nobody_else', lines } }) as const;

async function lockExpired(
  context: AssignmentContext,
  sql: Sql,
  { leadId, round, moves }: ExpireFollowUpInput,
): Promise<ExpiredLead[]> {
  const locked = await lockLead(sql, leadId);
  logTrace(locked?.lead.traceparent);
  if (!locked) return [];
  const { lead } = locked;
  const isCurrent = lead.round === round && lead.moves === moves;
  const dueAt = isCurrent && lead.follow_up_due_at ? new Date(lead.follow_up_due_at) : null;
  const [dueByCalendar, successor] = dueAt
    ? [await readDueByCalendar(sql, locked), await matchExpired(context, sql, locked)]
    : [null, null];
  const decided = decideExpiry(locked.current?.followUp ?? null, lead.moves);
  const expiry = decided === 'reassign' ? NOTE_ONLY : decided;
  return [{ ...locked, dueAt, dueByCalendar, successor, expiry }];
}

async function readDueByCalendar(sql: Sql, { lead, current }: LockedLead): Promise<Date | null> {
  const { owner_id: agentId, assigned_at: since } = lead;
  if (current?.followUp?.clock !== 'working' || !agentId || !since) return null;
  const start = new Date(since);
  const calendar = await readAgentCalendar(sql, agentId, start);
  return new Date(start.getTime() + followUpMsOf(current.followUp, calendar, start));
}

function decideExpired(
  context: AssignmentContext,
  { current, dueAt, dueByCalendar, successor, expiry }: ExpiredLead,
  at: LockedRoster,
): Decided<Expiry> {
  if (!dueAt) return { outcome: DONE };
  const leftMs = dueAt.getTime() - at.now.getTime();
  if (leftMs > 0) return { outcome: { leftMs } };
  if (dueByCalendar && dueByCalendar > at.now)
    return { outcome: DONE, followUpDueAt: dueByCalendar };
  if (successor) return decideSuccessor(context, successor, at);
  return {
    outcome: DONE,
    cause: expiry,
    because: {
      ruleName: current?.ruleName ?? null,
      rulesetVersion: current?.rulesetVersion ?? null,
    },
  };
}

function decideSuccessor(
  context: AssignmentContext,
  successor: Routable,
  at: LockedRoster,
): Decided<Expiry> {
  const routing = decideRouting(context, successor, at);
  const { decision } = routing;
  const placed = placeByRules(successor, routing, at);
  const isKept = decision.kind === 'waiting';
  return {
    outcome: { leftMs: 0, routing },
    ...placed,
    ...(isKept && { cause: keepOwner(whyNobody(decision.explanation)) }),
  };
}
