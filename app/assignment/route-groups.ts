import { leaveToOwner, lockFreeLeads } from '../../store/leads/waiting-leads.ts';
import { lockLead, readUnlockedLeads } from '../../store/assignment/lock-lead.ts';
import { createBatcher } from '../../store/db/batcher.ts';
import type { Database, Sql } from '../../store/db/database.ts';
import { logTrace } from '../../platform/log-fields.ts';
import { type AssignmentContext, changeLeads, type Decided } from './change-leads.ts';
import { candidatesByEnquiry, isBehind } from './order-of-arrival.ts';
import {
  agentsFor,
  decideRouting,
  isPending,
  matchLead,
  placeByRules,
  reachOf,
  readRoutable,
  refreshContactOwner,
  type Routable,
  type Routing,
} from './route.ts';
import { type InTransaction, isLocked } from './transactions.ts';

/** Limits of one lock, since others wait for its agents: number of leads, and time. */
const MOST = 16;
const LONGEST_MS = 150;

const DONE = Promise.resolve();

function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

type RoutingContext = AssignmentContext & { database: Database };

interface Group {
  route(leadId: string): Promise<unknown>;
  members: number;
}

/** Decides concurrent leads with the same candidates under one lock: they do not wait for each other's commits. */
export function createRouteGroups(
  context: RoutingContext,
  inTransaction: InTransaction,
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
      if (isLocked(error)) return leadIds.map(() => handled(Promise.reject(error as Error)));
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

async function readPending(context: RoutingContext, leadIds: readonly string[]) {
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
  context: AssignmentContext,
  sql: Sql,
  leadIds: readonly string[],
  longestMs: number,
) {
  let leads: Routable[] = [];
  let locked: string[] = [];
  const { outcomes } = await changeLeads(context, sql, {
    longestMs,
    async lock(sql) {
      ({ leads, locked } = await lockGroup(context, sql, leadIds));
      return leads;
    },
    reach: reachOf,
    refresh: refreshContactOwner,
    decide(lead, at): Decided<Routing> {
      const routing = decideRouting(context, lead, at);
      return { outcome: routing, ...placeByRules(lead, routing, at) };
    },
    /** The owner of the queue decides later, after the leads that came before. */
    async goBehind(sql, lead, { outcome: routing }, { now }) {
      if (!(await isBehind(context, sql, lead, routing, now))) return null;
      return { outcome: routing, queue: { dueAt: now, reach: agentsFor(lead, routing) } };
    },
  });
  const left = new Set(leads.map(({ lead }) => lead.id).filter((id) => !outcomes.has(id)));
  return { routed: leadIds.filter((id) => !left.has(id) && !locked.includes(id)), locked };
}

/** Returns the ids of leads that another transaction holds. A single lead waits for its lock. */
async function lockGroup(context: AssignmentContext, sql: Sql, leadIds: readonly string[]) {
  const [leadId = ''] = leadIds;
  if (leadIds.length > 1) {
    const free = await lockFreeLeads(sql, leadIds);
    const leads = (await readRoutable(context, sql, free)).filter(isPending);
    return { leads, locked: leadIds.filter((id) => !free.includes(id)) };
  }
  const found = await lockLead(sql, leadId);
  const leads = found && isPending(found) ? [await matchLead(context, sql, found)] : [];
  return { leads, locked: [] };
}
