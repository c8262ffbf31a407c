import type { Database, Sql } from '../../store/db/database.ts';
import { buildOutboxRow, type OutboxRow } from '../../store/leads/outbox.ts';
import {
  keepWaiting,
  lockFreeLeads,
  type QueuedLead,
  unqueueLeads,
} from '../../store/leads/waiting-leads.ts';
import { readRoster } from '../../store/routing/decisions.ts';
import { type AssignmentContext, changeLeads, type Decided, unionOf } from './change-leads.ts';
import { queueRivals } from './order-of-arrival.ts';
import {
  agentsFor,
  decideRouting,
  placeByRules,
  reachOf,
  readRoutable,
  refreshContactOwner,
  type Routable,
  type Routing,
} from './route.ts';

/** No decision begins after this time: others wait for the agents. */
const LONGEST_MS = 100;

export interface Placed {
  /** Number of the given leads that were tried, from the first on, with those passed over. */
  tried: number;
  announced: OutboxRow[];
}

/** Decides nothing if `areOthersFirst` is true once the agents are locked. Throws code 55P03 if they stay locked. */
export async function placeWaitingLeads(
  context: AssignmentContext,
  sql: Sql,
  queued: readonly QueuedLead[],
  passedOver: Set<string>,
  areOthersFirst: (sql: Sql) => Promise<boolean>,
): Promise<Placed> {
  const places = new Map(queued.map((place) => [place.leadId, place]));
  const ids = [...places.keys()];
  let leads: Routable[] = [];
  let isStopped = false;
  const { outcomes, outboxIds } = await changeLeads(context, sql, {
    longestMs: LONGEST_MS,
    async lock(sql) {
      const free = passOverLocked(queued, await lockFreeLeads(sql, ids), passedOver);
      leads = await readRoutable(context, sql, free);
      const waiting = new Set(leads.map(({ lead }) => lead.id));
      await unqueueLeads(
        sql,
        free.filter((id) => !waiting.has(id)),
      );
      return leads;
    },
    reach: reachOf,
    isOvertaken: async (sql) => (isStopped = await areOthersFirst(sql)),
    refresh: refreshContactOwner,
    decide(lead, at): Decided<Routing> {
      const routing = decideRouting(context, lead, at);
      const placed = placeByRules(lead, routing, at);
      const isNews = changesPlace(lead, routing, places.get(lead.lead.id));
      const lead_outbox = isNews ? [buildOutboxRow(lead.lead.id, 'routed', at.now)] : [];
      return { outcome: routing, ...placed, rows: { lead_outbox } };
    },
    async goBehind(sql, lead, { outcome: routing }, { now }) {
      isStopped = await queueRivals(context, sql, lead, routing, now);
      return isStopped ? 'stop' : null;
    },
  });
  const undecided = leads.find(({ lead }) => !outcomes.has(lead.id));
  const tried = isStopped ? 0 : undecided ? ids.indexOf(undecided.lead.id) : queued.length;
  const announced = [...outboxIds].map(([leadId, id]) => ({ id, leadId, event: 'routed' }));
  return { tried, announced };
}

function changesPlace(
  { expiredRule }: Routable,
  { decision }: Routing,
  place: QueuedLead | undefined,
): boolean {
  if (decision.kind !== 'waiting') return true;
  // The run of a lead with an owner does not show this time.
  return !expiredRule && decision.dueAt.getTime() !== place?.dueAt.getTime();
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
  context: AssignmentContext & { database: Database },
  queued: readonly QueuedLead[],
): Promise<QueuedLead[]> {
  const { database } = context;
  const places = new Map(queued.map((place) => [place.leadId, place]));
  const leads = await readRoutable(context, database, [...places.keys()]);
  const now = context.now();
  const roster = await readRoster(database, unionOf(leads.map(reachOf)), now);
  const staying = new Set<string>();
  let referenceVersion = 0;
  for (const lead of leads) {
    const { id } = lead.lead;
    await refreshContactOwner(database, lead);
    const routing = decideRouting(context, lead, { roster, now });
    if (staysAsItIs(lead, routing, places.get(id))) staying.add(id);
    ({ referenceVersion } = lead);
  }
  await keepWaiting(database, [...staying], referenceVersion);
  return queued.filter(({ leadId }) => !staying.has(leadId));
}

function staysAsItIs(lead: Routable, routing: Routing, place: QueuedLead | undefined): boolean {
  const { decision } = routing;
  if (decision.kind !== 'waiting' || decision.dueAt.getTime() !== place?.dueAt.getTime())
    return false;
  return lead.expiredRule
    ? String(agentsFor(lead, routing).agentIds) === String(place.agentIds)
    : lead.rulesetVersion === place.rulesetVersion;
}
