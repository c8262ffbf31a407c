import { decide } from './decide.ts';
import { destinationKey, type Assigned, type Decision, type Destination } from './decision.ts';
import type { Defaults } from './follow-up.ts';
import type { LeadFacts } from './condition.ts';
import { localTime } from './local-time.ts';
import { type Ruleset } from './rules.ts';
import { matchRules } from './match-rules.ts';
import { advanceRoster, counted, withCredits, type Roster } from './roster.ts';

export interface PastLead {
  leadId?: string;
  facts: LeadFacts;
  decidedAt: Date;
  closedAt: Date | null;
  /** The candidates of that time. By default as before. */
  roster?: Roster;
}

export interface GivenLead {
  leadId?: string;
  /** False if an operator reverted it: it does not count against the daily cap. */
  isCounted?: boolean;
  agentId: string;
  at: Date;
  closedAt: Date | null;
  /** Of a follow-up, which chooses by the rule's rotation. */
  turns: { teamId: string; agentId: string; creditBefore: number; creditAfter: number }[];
}

export interface OpenLead {
  agentId: string;
  closesAtMs: number;
}

export type RoutingSimulation = ReturnType<typeof createRoutingSimulation>;

export function createRoutingSimulation(
  first: Roster,
  openAtFirst: readonly OpenLead[],
  at: Date,
  defaults: Defaults,
) {
  let roster = first;
  let open = openAtFirst;
  let previous = at;
  const today = new Map<string, Set<unknown>>();

  function advanceTo(now: Date): void {
    const { closed = [], others = [] } = Object.groupBy(open, ({ closesAtMs }) =>
      closesAtMs <= now.getTime() ? 'closed' : 'others',
    );
    const isNewDay = (zone: string) =>
      localTime(previous, zone)?.date !== localTime(now, zone)?.date;
    const zones = new Set(roster.agents.map(({ timeZone }) => timeZone));
    const newDays = new Set([...zones].filter(isNewDay));
    const closedOf = Map.groupBy(closed, ({ agentId }) => agentId);
    const agents = roster.agents.map((agent) => {
      const isDayNew = newDays.has(agent.timeZone);
      const leadsClosed = closedOf.get(agent.id)?.length ?? 0;
      if (!isDayNew && leadsClosed === 0) return agent;
      if (isDayNew) today.delete(agent.id);
      const assignedToday = isDayNew ? 0 : agent.assignedToday;
      return { ...agent, assignedToday, openLeads: counted(agent.openLeads) - leadsClosed };
    });
    roster = { ...roster, agents };
    open = others;
    previous = now;
  }

  /** Keeps the simulated loads and credits. A new agent begins with the counts of then. */
  function takeHistoricRoster({ agents, teams, holidays }: Roster): void {
    const knownAgents = new Map(roster.agents.map((agent) => [agent.id, agent]));
    for (const agent of agents) {
      const { assignedToday, openLeads, lastAssignedAt } = knownAgents.get(agent.id) ?? agent;
      const loads = { assignedToday: assignedToday ?? 0, openLeads: openLeads ?? 0 };
      knownAgents.set(agent.id, { ...agent, ...loads, lastAssignedAt });
    }
    const knownTeams = new Map(roster.teams.map((team) => [team.id, team]));
    for (const team of teams)
      knownTeams.set(team.id, withCredits(team, knownTeams.get(team.id)?.members ?? []));
    roster = { agents: [...knownAgents.values()], teams: [...knownTeams.values()], holidays };
  }

  function assign(
    chosen: Pick<Assigned, 'agentId' | 'rotation'>,
    now: Date,
    lead: Pick<GivenLead, 'leadId' | 'closedAt' | 'isCounted'>,
  ) {
    const { agentId } = chosen;
    const { leadId = lead, closedAt, isCounted = true } = lead;
    const leads = today.get(agentId) ?? new Set();
    const isNewToday = isCounted && !leads.has(leadId);
    if (isNewToday) today.set(agentId, leads.add(leadId));
    roster = advanceRoster(roster, chosen, { now, byLoad: true, isNewToday });
    if (closedAt) open = [...open, { agentId, closesAtMs: closedAt.getTime() }];
  }

  return {
    route(lead: PastLead, ruleset: Ruleset): Decision {
      const { facts, decidedAt, roster: known } = lead;
      advanceTo(decidedAt);
      if (known) takeHistoricRoster(known);
      const decision = decide(matchRules(facts, ruleset), roster, decidedAt, defaults);
      if (decision.kind === 'assigned') assign(decision, decidedAt, lead);
      return decision;
    },

    /** Counts the lead against the agent's caps. Its turns change the credits by as much as they did then. */
    give(lead: GivenLead): void {
      const { agentId, at: now, turns } = lead;
      advanceTo(now);
      const rotation = turns.map(({ creditBefore, creditAfter, ...turn }) => {
        const members = roster.teams.find(({ id }) => id === turn.teamId)?.members;
        const member = members?.find((each) => each.agentId === turn.agentId);
        return { ...turn, credit: (member?.credit ?? creditBefore) + creditAfter - creditBefore };
      });
      assign({ agentId, rotation }, now, lead);
    },
  };
}

export interface Move {
  from: Destination;
  to: Destination;
}

export type Comparison = ReturnType<typeof compareOutcomes>;

export function compareOutcomes(leads: readonly Move[]) {
  const moved = leads.filter(({ from, to }) => destinationKey(from) !== destinationKey(to));
  const before = leads.map(({ from }) => from);
  const after = leads.map(({ to }) => to);
  const countNobody = (places: readonly Destination[]) =>
    places.filter(({ kind }) => kind === 'nobody').length;
  return {
    total: leads.length,
    elsewhere: moved.length,
    nobody: { before: countNobody(before), after: countNobody(after) },
    waits: { before: countWaits(before), after: countWaits(after) },
    moves: countMoves(moved),
    sharesBefore: distributionOf(before),
    sharesAfter: distributionOf(after),
  };
}

function countWaits(places: readonly Destination[]) {
  const minutes = places.flatMap((place) => (place.kind === 'waiting' ? [place.minutes] : []));
  const inOrder = minutes.toSorted((a, b) => a - b);
  return {
    leads: inOrder.length,
    medianMinutes: inOrder[Math.floor((inOrder.length - 1) / 2)] ?? 0,
    longestMinutes: inOrder.at(-1) ?? 0,
  };
}

function countMoves(moved: readonly Move[]): (Move & { leads: number })[] {
  const keyOf = ({ from, to }: Move) => `${destinationKey(from)} > ${destinationKey(to)}`;
  return [...Map.groupBy(moved, keyOf).values()]
    .flatMap(([first, ...others]) => (first ? [{ ...first, leads: 1 + others.length }] : []))
    .toSorted((a, b) => b.leads - a.leads);
}

export type Share = ReturnType<typeof distributionOf>[number];

/** `share`: from 0 to 1, of the leads that went to agents. The largest first. */
export function distributionOf(places: readonly Destination[]) {
  const agentIds = places.flatMap((place) => (place.kind === 'agent' ? [place.agentId] : []));
  return [...Map.groupBy(agentIds, (agentId) => agentId)]
    .map(([agentId, { length }]) => ({ agentId, leads: length, share: length / agentIds.length }))
    .toSorted((a, b) => b.leads - a.leads || (a.agentId < b.agentId ? -1 : 1));
}
