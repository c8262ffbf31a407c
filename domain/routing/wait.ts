import { FAR_MS, nextPresentMoment, nextWorkingMoment, spanOf } from './calendar.ts';
import { findObstacle, isFull, type AgentVerdict } from './eligibility.ts';
import type { Wait } from './decision.ts';
import { localTime } from './local-time.ts';
import { calendarOf, type RosterAgent, type RoutingContext } from './roster.ts';
import type { Eligibility, Rule } from './rules.ts';

const MINUTE_MS = 60_000;
const NEVER_MS = Date.UTC(9999, 0);

/** A rule none of whose agents can take the lead now. */
export interface Exhausted {
  gates: Eligibility;
  agents: readonly AgentVerdict[];
}

/**
 * Decides how long a lead waits for the agents of a rule, none of whom can take it now. Null if the rule has no wait, its
 * time is over, or none of them could take the lead in time. A lead that waits already goes on to the end, since an import
 * may free an agent. The wait is due earlier if the clock frees an agent of an earlier rule.
 */
export function findWait(
  { name, gates, onExhausted }: Rule,
  agents: readonly AgentVerdict[],
  before: readonly Exhausted[],
  context: RoutingContext,
): Wait | null {
  if (onExhausted.kind !== 'wait') return null;
  const { now } = context;
  const begunMs = endOfBegun(name, context);
  const endsAtMs = begunMs ?? now.getTime() + onExhausted.atMostMinutes * MINUTE_MS;
  if (endsAtMs <= now.getTime()) return null;
  const own = momentsOf({ gates, agents }, context, endsAtMs);
  if (own.length === 0 && begunMs === null) return null;
  const all = [...before.flatMap((rule) => momentsOf(rule, context, endsAtMs)), ...own];
  const moments = all.filter(({ isCertain }) => isCertain);
  const dueAtMs = Math.min(endsAtMs, ...moments.map(({ atMs }) => atMs));
  const awaited = moments.filter(({ atMs }) => atMs === dueAtMs).map(({ agentId }) => agentId);
  return {
    dueAt: new Date(dueAtMs).toISOString(),
    awaited: [...new Set(awaited)],
    endsAt: new Date(endsAtMs).toISOString(),
  };
}

/**
 * The end of the wait that the rule continues: its own, or else a running one of another rule, since neither an update nor
 * new rules move it. Null if the wait begins now. Where it began stands in store/leads/waiting-leads.ts
 * (`FIRST_ROUND_OF_WAIT`).
 */
function endOfBegun(name: string, { now, facts: { waits = [] } }: RoutingContext): number | null {
  const own = waits.find(({ ruleName }) => ruleName === name);
  if (own) return Date.parse(own.endsAt);
  const running = waits.map(({ endsAt }) => Date.parse(endsAt)).filter((ms) => ms > now.getTime());
  return running.length === 0 ? null : Math.min(...running);
}

/** When the clock lets an agent of an expired follow-up's rule take the lead; `NEVER` if only a change does, or none. */
export function findNextMoment(rule: Exhausted, context: RoutingContext): Date {
  const moments = momentsOf(rule, context, context.now.getTime() + FAR_MS);
  const certain = moments.filter(({ isCertain }) => isCertain);
  return new Date(Math.min(NEVER_MS, ...certain.map(({ atMs }) => atMs)));
}

/** When each agent can take the lead; certain unless a pause or a cap on open leads has to end as well. */
function momentsOf({ gates, agents }: Exhausted, context: RoutingContext, endsAtMs: number) {
  return agents.flatMap(({ agentId }) => {
    const agent = context.agents.get(agentId);
    const obstacle = agent ? findObstacle(agent, gates, context) : 'lasting';
    if (!agent || obstacle === 'lasting') return [];
    const atMs = availableAtMs(agent, gates, context, endsAtMs + 1);
    return atMs === null ? [] : [{ agentId, atMs, isCertain: obstacle === null }];
  });
}

/** When the clock lets an agent take the lead: at the start of a day, of working hours, or after an absence. */
function availableAtMs(
  agent: RosterAgent,
  gates: Eligibility,
  context: RoutingContext,
  untilMs: number,
): number | null {
  const isFullToday = gates.caps && isFull(agent.assignedToday, agent.dailyCap);
  const from = isFullToday ? startOfNextDay(context.now, agent.timeZone) : context.now;
  if (!from) return null;
  const next = gates.availability === 'working_hours' ? nextWorkingMoment : nextPresentMoment;
  return next(calendarOf(agent, context.holidays), from, new Date(untilMs))?.getTime() ?? null;
}

/** Null for an unknown zone. */
function startOfNextDay(now: Date, timeZone: string): Date | null {
  const today = localTime(now, timeZone)?.date;
  return today ? new Date(spanOf({ from: today, to: today }, timeZone).endMs) : null;
}
