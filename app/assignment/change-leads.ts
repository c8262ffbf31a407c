import type { AssignmentCause } from '../../domain/assignment/assignment-cause.ts';
import { type ChangeFacts, type Records, recordsOf } from '../../domain/assignment/records.ts';
import { requireTransition, type Transition } from '../../domain/assignment/transitions.ts';
import type { Candidates } from '../../domain/routing/match-rules.ts';
import { advanceRoster, type CreditChange } from '../../domain/routing/roster.ts';
import type { Config } from '../../platform/config.ts';
import { markUndone } from '../../store/assignment/hand-overs.ts';
import type { Sql } from '../../store/db/database.ts';
import { assignmentStateOf, type LeadRow } from '../../store/leads/lead-json.ts';
import type { AddedRows, ChangedColumns } from '../../store/leads/lead-rows.ts';
import {
  insertWait,
  queueLead,
  type QueueDecision,
  type WaitRow,
  wakeWaitingLeads,
} from '../../store/leads/waiting-leads.ts';
import { changeLead, moveFollowUp } from '../../store/leads/write-lead.ts';
import { lockAndReadRoster, readRoster, type LockedRoster } from '../../store/routing/decisions.ts';
import type { RulesetStore } from '../../store/routing/rulesets.ts';

export interface AssignmentContext {
  config: Pick<Config, 'followUpMs'>;
  rulesets: RulesetStore;
  now: () => Date;
  newId: () => string;
}

interface LeadToChange {
  lead: LeadRow;
  /** The present owner, or the last one if the lead has none. */
  lastHolderId?: string | null;
  /** ISO 8601 */
  waitDecidedAt?: string | null;
}

/** The records that a decision may name. */
export interface Reach extends Candidates {
  poolIds: readonly string[];
}

export const NOBODY: Reach = { teamIds: [], agentIds: [], byLoad: false, poolIds: [] };

export interface ChangePlan<Lead extends LeadToChange, Outcome> {
  /** In this order: people, leads by id, quiz, campaign. Then reads what the decisions need. */
  lock(sql: Sql): Promise<readonly Lead[]>;
  /** Agents to lock after the leads, together with the owner. Null or left out: the change concerns no agent. */
  reach?(lead: Lead): Reach | null;
  /** Before each decision: reads what an earlier one of this transaction may have changed. */
  refresh?(sql: Sql, lead: Lead): Promise<void>;
  /** Pure. Refusals and "nothing to do" are outcomes. */
  decide(lead: Lead, at: LockedRoster): Decided<Outcome>;
  /** Returns another decision if leads that came before go first, else null. `stop` ends the decisions of this call. */
  goBehind?(
    sql: Sql,
    lead: Lead,
    decided: Decided<Outcome>,
    at: LockedRoster,
  ): Promise<Decided<Outcome> | 'stop' | null>;
  /** True if nothing is to be decided now. Called once the agents are locked. */
  isOvertaken?(sql: Sql): Promise<boolean>;
  /** Others wait for the locks: no decision but the first begins after this time. */
  longestMs?: number;
  /** The time of the decisions, if not the time at which the agents were locked. */
  now?: Date;
  /** A request about its one lead: if it reverts a transfer, reads leave that transfer out. */
  requestId?: string;
}

export interface Decided<Outcome> {
  outcome: Outcome;
  /** Left out: the assignment stays as it is. */
  cause?: AssignmentCause | null;
  because?: Omit<ChangeFacts, 'now' | 'newId' | 'previousAgentId'> & {
    rotation?: readonly CreditChange[];
  };
  /** The place in the queue. Without a cause: leads that came before go first, or a known wait goes on. */
  queue?: QueueDecision & { wait?: WaitRow };
  /** By default the time of the last update, if the assignment changes. */
  columns?: ChangedColumns;
  rows?: AddedRows;
  supersededQuizKey?: string | null;
  /** A new response deadline of the same owner. */
  followUpDueAt?: Date;
  /** The request that reverts an earlier transfer. */
  undoneBy?: string | null | undefined;
  /** The owner can take another lead, although this one stays. */
  freesOwner?: boolean;
}

export interface Changed<Outcome> {
  /** In the order of the decisions. Leads without one were not decided. */
  outcomes: Map<string, Outcome>;
  outboxIds: Map<string, number>;
}

/**
 * The one way to change a lead that exists, within the caller's transaction: locks and reads, decides purely, and writes each
 * change with its history, notes, webhook events and place in the queue.
 */
export async function changeLeads<Lead extends LeadToChange, Outcome>(
  context: Pick<AssignmentContext, 'now' | 'newId'>,
  sql: Sql,
  plan: ChangePlan<Lead, Outcome>,
): Promise<Changed<Outcome>> {
  const changed: Changed<Outcome> = { outcomes: new Map(), outboxIds: new Map() };
  const leads = await plan.lock(sql);
  const [first] = leads;
  if (!first) return changed;
  const clock = plan.now ? () => plan.now as Date : clockAfterWaits(context, leads);
  const reaches = leads.map((lead) => plan.reach?.(lead) ?? null);
  const reach = unionOf(reaches.filter((each) => each !== null));
  const owners = leads.flatMap(({ lead }, index) => (reaches[index] && lead.owner_id) ?? []);
  const undone = { undoneBy: plan.requestId ?? null, undoneLeadId: first.lead.id };
  let at: LockedRoster = await lockAndReadRoster(sql, { reach, owners, clock, undone });
  if (await plan.isOvertaken?.(sql)) return changed;
  const began = performance.now();
  for (const lead of leads) {
    if (lead !== first && performance.now() - began > (plan.longestMs ?? Infinity)) break;
    await plan.refresh?.(sql, lead);
    const placed = plan.decide(lead, at);
    const behind = await plan.goBehind?.(sql, lead, placed, at);
    if (behind === 'stop') break;
    const decided = behind ?? placed;
    const decision = { lead, decided, transition: transitionOf(lead, decided), at };
    const outboxId = await write(context, sql, decision);
    changed.outcomes.set(lead.lead.id, decided.outcome);
    if (outboxId !== null) changed.outboxIds.set(lead.lead.id, outboxId);
    if (lead !== leads.at(-1)) at = await moveOn(sql, reach, clock, decision);
  }
  return changed;
}

/** Later than the last decided waits of the leads, whichever worker decided those. */
function clockAfterWaits({ now }: Pick<AssignmentContext, 'now'>, leads: readonly LeadToChange[]) {
  const times = leads.flatMap(({ waitDecidedAt }) =>
    waitDecidedAt ? [Date.parse(waitDecidedAt) + 1] : [],
  );
  return () => new Date(Math.max(now().getTime(), ...times));
}

export function unionOf(all: readonly Reach[]): Reach {
  const union = (ids: (reach: Reach) => readonly string[]) => [...new Set(all.flatMap(ids))];
  return {
    teamIds: union(({ teamIds }) => teamIds),
    agentIds: union(({ agentIds }) => agentIds),
    byLoad: all.some(({ byLoad }) => byLoad),
    poolIds: union(({ poolIds }) => poolIds),
  };
}

function transitionOf({ lead }: LeadToChange, { cause }: Decided<unknown>): Transition | null {
  return cause ? requireTransition(assignmentStateOf(lead), cause) : null;
}

interface Decision {
  lead: LeadToChange;
  decided: Decided<unknown>;
  transition: Transition | null;
  at: LockedRoster;
}

/** The statements share a round trip. Returns the id of the row of the outbox, if there is one. */
async function write(
  { newId }: Pick<AssignmentContext, 'newId'>,
  sql: Sql,
  { lead: { lead, lastHolderId: previousAgentId }, decided, transition, at }: Decision,
): Promise<number | null> {
  const { now } = at;
  const { columns = transition ? { updated_at: now.toISOString() } : {} } = decided;
  const { because = {}, rows = {}, queue, supersededQuizKey = null } = decided;
  let records: Records | null = null;
  if (transition) {
    const recorded = { transition, now, newId, previousAgentId, ...because };
    const { holder } = transition;
    const poolName = holder.kind === 'pool' ? (at.pools.get(holder.poolId) ?? holder.poolId) : '';
    const after = { ...lead, ...columns } as LeadRow;
    records = recordsOf(after, lead, recorded, { poolName, source: null });
  }
  const credits = because.rotation ?? [];
  const isFreed = decided.freesOwner ?? (transition && transition.holder.kind !== 'unchanged');
  const [outboxId] = await Promise.all([
    changeLead(sql, lead.id, { columns, records, rows, credits, supersededQuizKey, now }),
    decided.followUpDueAt && moveFollowUp(sql, lead.id, decided.followUpDueAt),
    decided.undoneBy && markUndone(sql, decided.undoneBy, lead.id),
    queue && queueLead(sql, lead.id, queue),
    queue?.wait && insertWait(sql, lead.id, queue.wait),
    lead.owner_id && isFreed && wakeWaitingLeads(sql, lead.owner_id),
  ]);
  return outboxId;
}

const minuteOf = (time: Date) => Math.floor(time.getTime() / 60_000);

/** Later decisions have later times, so that they show the order of turns. */
async function moveOn(
  sql: Sql,
  reach: Reach,
  clock: () => Date,
  { lead: { lead, lastHolderId }, decided, transition, at }: Decision,
): Promise<LockedRoster> {
  const now = new Date(Math.max(clock().getTime(), at.now.getTime() + 1));
  const { holder } = transition ?? { holder: { kind: 'unchanged' } };
  // Days and working hours begin with a minute. A returning lead may count today, and one with a response is not open.
  const isSimple =
    holder.kind === 'unchanged' || (!lastHolderId && lead.agent_responded_at === null);
  if (!isSimple || minuteOf(now) !== minuteOf(at.now))
    return { ...at, now, roster: await readRoster(sql, reach, now) };
  if (holder.kind !== 'agent') return { ...at, now };
  const given = { agentId: holder.agent.id, rotation: decided.because?.rotation ?? [] };
  const roster = advanceRoster(at.roster, given, { now: at.now, byLoad: reach.byLoad });
  return { ...at, now, roster };
}
