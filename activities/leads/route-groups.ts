import { advanceRoster } from '../../domain/routing/roster.ts';
import { candidatesOf } from '../../domain/routing/match-rules.ts';
import { leaveToOwner, lockFreeLeads } from '../../store/leads/waiting-leads.ts';
import { lockLead, readUnlockedLeads } from '../../store/assignment/lock-lead.ts';
import { createBatcher } from '../../store/db/batcher.ts';
import type { Sql } from '../../store/db/database.ts';
import { lockAndReadRoster } from '../../store/routing/roster.ts';
import { logTrace, type ActivityContext } from '../context.ts';
import { decideFrom, matchLeads, unionOf } from './place-waiting-leads.ts';
import {
  candidatesByEnquiry,
  clockAfterWaits,
  isPending,
  matchLead,
  recordOrQueue,
} from './route-lead.ts';
import { isLockedFailure, type RunRouting } from './routing-transactions.ts';

/** Limits of one lock, since others wait for its agents: number of leads, and time. */
const MOST = 16;
const LONGEST_MS = 150;
const minuteOf = (time: Date) => Math.floor(time.getTime() / 60_000);

const DONE = Promise.resolve();

function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

interface Group {
  route(leadId: string): Promise<unknown>;
  members: number;
}

/** Decides concurrent leads with the same candidates under one lock: they do not wait for each other's commits. */
export function createRouteGroups(
  context: ActivityContext,
  inTransaction: RunRouting,
  longestMs = LONGEST_MS,
) {
  const groups = new Map<string, Group>();
  const findPending = createBatcher(async (leadIds: readonly string[]) => {
    const pending = await readPending(context, leadIds);
    return leadIds.map((id) => pending.get(id) ?? null);
  });

  const run = (leadIds: readonly string[]) =>
    inTransaction((sql) => routeGroup(context, sql, leadIds, longestMs));

  async function routeAll(leadIds: readonly string[]): Promise<Promise<unknown>[]> {
    const outcomes = new Map<string, Promise<unknown>>();
    // A second attempt of an activity may start before the first one ends.
    const distinct = [...new Set(leadIds)];
    for (let left = distinct; left.length > 0; left = left.filter((id) => !outcomes.has(id))) {
      const { routed, locked } = await run(left);
      for (const id of routed) outcomes.set(id, DONE);
      // A locked lead must not delay the others.
      for (const id of locked) outcomes.set(id, handled(run([id])));
    }
    return leadIds.map((id) => outcomes.get(id) ?? DONE);
  }

  const decideTogether = async (leadIds: readonly string[]): Promise<Promise<unknown>[]> =>
    routeAll(leadIds).catch((error: unknown) => {
      // Separate attempts would wait as long for the same agents.
      if (isLockedFailure(error)) return leadIds.map(() => handled(Promise.reject(error as Error)));
      throw error;
    });

  return async function routeLead(leadId: string): Promise<void> {
    const pending = await findPending(leadId);
    if (!pending) return;
    logTrace(pending.traceparent);
    const name = pending.group;
    const known = groups.get(name);
    const group = known ?? { route: createBatcher(decideTogether, { max: MOST }), members: 0 };
    if (!known) groups.set(name, group);
    group.members += 1;
    try {
      await group.route(leadId);
    } finally {
      group.members -= 1;
      if (group.members === 0) groups.delete(name);
    }
  };
}

async function readPending(context: ActivityContext, leadIds: readonly string[]) {
  const { database, now } = context;
  const [left, leads] = await Promise.all([
    leaveToOwner(database, leadIds, now()),
    readUnlockedLeads(database, leadIds),
  ]);
  const pending = new Map<string, { group: string; traceparent: string | null | undefined }>();
  for (const found of leads) {
    const { id, traceparent } = found.lead;
    if (left.has(id) || !isPending(found)) continue;
    const group = JSON.stringify(await candidatesByEnquiry(context, database, found));
    pending.set(id, { group, traceparent });
  }
  return pending;
}

async function routeGroup(
  context: ActivityContext,
  sql: Sql,
  leadIds: readonly string[],
  longestMs: number,
) {
  const { leads, locked } = await lockGroup(context, sql, leadIds);
  const pending = new Set(leads.map((lead) => lead.locked.lead.id));
  const routed = leadIds.filter((id) => !pending.has(id) && !locked.includes(id));
  const [first] = leads;
  if (!first) return { routed, locked };
  const candidates = unionOf(leads.map(({ matched }) => candidatesOf(matched)));
  const clock = clockAfterWaits(context, leads);
  const { people, ...read } = await lockAndReadRoster(sql, candidates, clock);
  const began = performance.now();
  let { roster, now } = read;
  for (const lead of leads) {
    if (lead !== first) {
      if (performance.now() - began > longestMs) break;
      now = new Date(Math.max(clock().getTime(), now.getTime() + 1));
      // Days and working hours begin with a minute, so the roster is valid for its minute.
      if (minuteOf(now) !== minuteOf(read.now)) break;
    }
    const { decision, roster: seen } = await decideFrom(context, sql, lead, roster, now);
    const routing = { decision, people, roster: seen, now };
    const isRecorded = await recordOrQueue(context, sql, lead, routing);
    routed.push(lead.locked.lead.id);
    if (!isRecorded || decision.kind !== 'assigned') continue;
    roster = advanceRoster(roster, decision, { now, byLoad: candidates.byLoad });
    // A lead with a response does not count as open, and a returning one may count today already.
    if (lead.locked.lead.agent_responded_at !== null || lead.locked.lastHolderId !== null) break;
  }
  return { routed, locked };
}

/** Returns the ids of leads that another transaction holds. A single lead waits for its lock. */
async function lockGroup(context: ActivityContext, sql: Sql, leadIds: readonly string[]) {
  const [leadId = ''] = leadIds;
  if (leadIds.length > 1) {
    const free = await lockFreeLeads(sql, leadIds);
    const leads = await matchLeads(context, sql, free);
    return { leads, locked: leadIds.filter((id) => !free.includes(id)) };
  }
  const found = await lockLead(sql, leadId);
  const leads = found && isPending(found) ? [await matchLead(context, sql, found)] : [];
  return { leads, locked: [] };
}
