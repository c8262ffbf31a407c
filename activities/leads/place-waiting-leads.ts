import { asksForContactOwner } from '../../domain/routing/eligibility.ts';
import { candidatesOf, type Candidates } from '../../domain/routing/match-rules.ts';
import { rosterOf } from '../../domain/routing/roster.ts';
import { readContactOwner, readLockedLeads } from '../../store/assignment/lock-lead.ts';
import {
  keepWaiting,
  lockFreeLeads,
  type QueuedLead,
  unqueueLeads,
} from '../../store/leads/waiting-leads.ts';
import { announceRouted, type OutboxRow } from '../../store/leads/outbox.ts';
import type { Sql } from '../../store/db/database.ts';
import { lockAndReadRoster, readRoster } from '../../store/routing/roster.ts';
import type { ActivityContext } from '../context.ts';
import {
  clockAfterWaits,
  decideLead,
  isPending,
  isUnanswered,
  matchExpired,
  matchLead,
  queueRivals,
  reachOf,
  recordDecision,
  type Routable,
} from './route-lead.ts';

/** No decision begins after this time: others wait for the agents. */
const LONGEST_MS = 100;
export const LOCK_TIMEOUT_MS = 250;

export interface Placed {
  /** Number of the given leads that were tried, from the first on, with those passed over. */
  tried: number;
  announced: OutboxRow[];
}

/** Decides nothing if `areOthersFirst` is true once the agents are locked. Throws code 55P03 if they stay locked. */
export async function placeWaitingLeads(
  context: ActivityContext,
  sql: Sql,
  queued: readonly QueuedLead[],
  passedOver: Set<string>,
  areOthersFirst: (sql: Sql) => Promise<boolean>,
): Promise<Placed> {
  const began = performance.now();
  const dueAtMs = new Map(queued.map(({ leadId, dueAt }) => [leadId, dueAt.getTime()]));
  const ids = queued.map(({ leadId }) => leadId);
  const free = passOverLocked(queued, await lockFreeLeads(sql, ids), passedOver);
  const leads = await matchLeads(context, sql, free);
  const waiting = new Set(leads.map(({ locked: { lead } }) => lead.id));
  const gone = free.filter((id) => !waiting.has(id));
  await unqueueLeads(sql, gone);
  const candidates = unionOf(leads.map(({ matched }) => candidatesOf(matched)));
  const clock = clockAfterWaits(context, leads);
  const locked = await lockAndReadRoster(sql, candidates, clock);
  if (await areOthersFirst(sql)) return { tried: 0, announced: [] };
  const { people } = locked;
  let { roster, now } = locked;
  const announced: OutboxRow[] = [];
  for (const [at, lead] of leads.entries()) {
    const { id } = lead.locked.lead;
    if (at > 0 && performance.now() - began > LONGEST_MS)
      return { tried: ids.indexOf(id), announced };
    const routed = { ...(await decideFrom(context, sql, lead, roster, now)), people, now };
    const { decision } = routed;
    if (await queueRivals(context, sql, lead, routed)) return { tried: 0, announced };
    await recordDecision(context, sql, lead, routed);
    // The run of a lead with an owner does not show this time.
    if (decision.kind === 'waiting' && lead.expiredRule) continue;
    const isNews = decision.kind !== 'waiting' || decision.dueAt.getTime() !== dueAtMs.get(id);
    if (isNews) announced.push(await announceRouted(sql, id, now));
    if (decision.kind === 'waiting') continue;
    // Later decisions have later times, so that they show the order of turns.
    now = new Date(Math.max(clock().getTime(), now.getTime() + 1));
    roster = await readRoster(sql, candidates, now);
  }
  return { tried: queued.length, announced };
}

/** Passes over locked leads, and the leads behind them that wait for the same agents. Returns the others. */
export function passOverLocked(
  queued: readonly QueuedLead[],
  free: readonly string[],
  passedOver: Set<string>,
): string[] {
  return queued.flatMap(({ leadId, teamIds, agentIds }) => {
    const wanted = [...teamIds, ...agentIds];
    if (free.includes(leadId) && !wanted.some((id) => passedOver.has(id))) return [leadId];
    for (const id of wanted) passedOver.add(id);
    return [];
  });
}

/** Decides without locks, so that a long queue locks no agents in vain. */
export async function findPlaceable(
  context: ActivityContext,
  queued: readonly QueuedLead[],
): Promise<QueuedLead[]> {
  const { database } = context;
  const ids = queued.map(({ leadId }) => leadId);
  const leads = await matchLeads(context, database, ids);
  const now = context.now();
  const candidates = unionOf(leads.map(({ matched }) => candidatesOf(matched)));
  const roster = await readRoster(database, candidates, now);
  const staying = new Set<string>();
  let referenceVersion = 0;
  const places = new Map(queued.map((place) => [place.leadId, place]));
  for (const lead of leads) {
    const { lead: row, rulesetVersion } = lead.locked;
    const decided = await decideFrom(context, database, lead, roster, now);
    const { decision } = decided;
    const place = places.get(row.id);
    const isAsBefore = lead.expiredRule
      ? String(reachOf(lead, decided).agentIds) === String(place?.agentIds)
      : rulesetVersion === place?.rulesetVersion;
    const staysAsItIs =
      decision.kind === 'waiting' &&
      decision.dueAt.getTime() === place?.dueAt.getTime() &&
      isAsBefore;
    if (staysAsItIs) staying.add(row.id);
    ({ referenceVersion } = lead.locked);
  }
  await keepWaiting(database, [...staying], referenceVersion);
  return queued.filter(({ leadId }) => !staying.has(leadId));
}

/** Reads the contact's owner again if a rule asks for it: the decision before this one may have changed it. */
export async function decideFrom(
  context: ActivityContext,
  sql: Sql,
  lead: Routable,
  all: Parameters<typeof rosterOf>[0],
  now: Date,
) {
  const { locked, matched } = lead;
  if (matched.rules.some(({ rule }) => asksForContactOwner(rule)))
    matched.facts.contactOwnerId = await readContactOwner(sql, locked.lead.id);
  const roster = rosterOf(all, candidatesOf(matched));
  return { roster, decision: decideLead(context, lead, { roster, now }) };
}

export async function matchLeads(context: ActivityContext, sql: Sql, leadIds: readonly string[]) {
  const leads: Routable[] = [];
  for (const locked of await readLockedLeads(sql, leadIds)) {
    const match = isPending(locked) ? matchLead : isUnanswered(locked) ? matchExpired : null;
    const lead = await match?.(context, sql, locked);
    if (lead) leads.push(lead);
  }
  return leads;
}

export function unionOf(all: readonly Candidates[]): Candidates {
  return {
    teamIds: [...new Set(all.flatMap(({ teamIds }) => teamIds))],
    agentIds: [...new Set(all.flatMap(({ agentIds }) => agentIds))],
    byLoad: all.some(({ byLoad }) => byLoad),
  };
}
