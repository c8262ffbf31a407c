import { FAR_MS, nextPresentMoment, nextWorkingMoment, spanOf } from './calendar.ts';
import { findObstacle, isFull, type AgentVerdict } from './eligibility.ts';
import type { Wait } from './decision.ts';
import { localTime } from './local-time.ts';
import { calendarOf, type RosterAgent, type RoutingContext } from './roster.ts';
import type { Eligibility, Rule } from './rules.ts';

const MINUTE_MS = 60_000;
const NEVER_MS = Date.UTC(9999, 0);

export interface Exhausted {
  gates: Eligibility;
  agents: readonly AgentVerdict[];
}

/** Null if no agent could take the lead in time. A wait that began goes to its end, since imports may free agents. */
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

/** No update and no new rule moves the end. For the start, see `FIRST_ROUND_OF_WAIT` (store/leads/waiting-leads.ts). */
function endOfBegun(name: string, { now, facts: { waits = [] } }: RoutingContext): number | null {
  const own = waits.find(({ ruleName }) => ruleName === name);
  if (own) return Date.parse(own.endsAt);
  const running = waits.map(({ endsAt }) => Date.parse(endsAt)).filter((ms) => ms > now.getTime());
  return running.length === 0 ? null : Math.min(...running);
}

/** Far in the future if the clock frees no agent of the rule. */
export function findNextMoment(rule: Exhausted, context: RoutingContext): Date {
  const moments = momentsOf(rule, context, context.now.getTime() + FAR_MS);
  const certain = moments.filter(({ isCertain }) => isCertain);
  return new Date(Math.min(NEVER_MS, ...certain.map(({ atMs }) => atMs)));
}

/** Uncertain if a pause or a cap on open leads has to end as well. */
function momentsOf({ gates, agents }: Exhausted, context: RoutingContext, endsAtMs: number) {
  return agents.flatMap(({ agentId }) => {
    const agent = context.agents.get(agentId);
    const obstacle = agent ? findObstacle(agent, gates, context) : 'lasting';
    if (!agent || obstacle === 'lasting') return [];
    const atMs = availableAtMs(agent, gates, context, endsAtMs + 1);
    return atMs === null ? [] : [{ agentId, atMs, isCertain: obstacle === null }];
  });
}

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

function startOfNextDay(now: Date, timeZone: string): Date | null {
  const today = localTime(now, timeZone)?.date;
  return today ? new Date(spanOf({ from: today, to: today }, timeZone).endMs) : null;
}
