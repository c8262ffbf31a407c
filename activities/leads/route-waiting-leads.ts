import { decide } from '../../domain/routing/decide.ts';
import { routingDefaults } from '../../domain/routing/follow-up.ts';
import { candidatesOf, type Candidates } from '../../domain/routing/match-rules.ts';
import { rosterOf } from '../../domain/routing/roster.ts';
import { readLockedLeads } from '../../store/assignment/lock-lead.ts';
import { announceRouted, lockWaitingLeads } from '../../store/assignment/waits.ts';
import { lockAndReadRoster, readRoster } from '../../store/routing/roster.ts';
import type { Sql } from '../../store/db/database.ts';
import type { ActivityContext } from '../context.ts';
import { isPending, matchLead, recordDecision, type Routable } from './route-lead.ts';

/**
 * Routes all leads that wait, in the order in which they began to, then `leadId`: an agent who is free again
 * gets the first that they can take. Everyone within reach is locked before the first decision.
 */
export async function routeWaitingLeads(
  context: ActivityContext,
  sql: Sql,
  leadId: string,
): Promise<void> {
  const leads = await matchWaitingLeads(context, sql, leadId);
  const candidates = unionOf(leads.map(({ matched }) => candidatesOf(matched)));
  const locked = await lockAndReadRoster(sql, candidates, context.now);
  const { people } = locked;
  let { roster, now } = locked;
  for (const lead of leads) {
    const seen = rosterOf(roster, candidatesOf(lead.matched));
    const decision = decide(lead.matched, seen, now, routingDefaults(context.config));
    await recordDecision(context, sql, lead, { decision, people, roster: seen, now });
    if (decision.kind === 'waiting') continue;
    const { id } = lead.locked.lead;
    if (id !== leadId) await announceRouted(sql, id, now);
    // Later decisions have later times: the order of turns can be read from them.
    now = new Date(Math.max(context.now().getTime(), now.getTime() + 1));
    roster = await readRoster(sql, candidates, now);
  }
}

async function matchWaitingLeads(context: ActivityContext, sql: Sql, leadId: string) {
  const leads: Routable[] = [];
  for (const locked of await readLockedLeads(sql, await lockWaitingLeads(sql, leadId)))
    if (isPending(locked)) leads.push(await matchLead(context, sql, locked));
  return leads;
}

function unionOf(all: readonly Candidates[]): Candidates {
  return {
    teamIds: [...new Set(all.flatMap(({ teamIds }) => teamIds))],
    agentIds: [...new Set(all.flatMap(({ agentIds }) => agentIds))],
    byLoad: all.some(({ byLoad }) => byLoad),
  };
}
