import type { AssignmentStatus } from '../../../../domain/assignment/assignment-cause.ts';

/**
 * What becomes of leads over months, said a second time and as simply as it can be: who could take a lead is asked of every half
 * hour, at which all hours, days and absences of the test begin and end.
 */

const MINUTE_MS = 60_000;
const STEP_MS = 30 * MINUTE_MS;
const DAY_MS = 48 * STEP_MS;

/** Days are numbered from Sunday; a span that ends before it begins goes on past midnight. */
export interface Hours {
  days: readonly number[];
  fromMinute: number;
  toMinute: number;
}

export interface Agent {
  id: string;
  email: string;
  /** One that never changes its clocks. */
  timeZone: string;
  offsetMinutes: number;
  active: boolean;
  isPaused: boolean;
  /** Null: at any time. */
  hours: Hours | null;
  absences: { fromMs: number; toMs: number }[];
  dailyCap: number | null;
  openCap: number | null;
}

export interface RuleTerms {
  keepsHours: boolean;
  isLeastLoaded: boolean;
  /** Null: nobody waits. */
  atMostMinutes: number | null;
  leave: 'next' | 'pool' | 'unassigned';
  minutes: number;
  isWorkingClock: boolean;
  onExpiry: 'note' | 'reassign' | 'pool';
  maxMoves: number;
}

export interface Rule extends RuleTerms {
  name: string;
  agentIds: readonly string[];
}

export interface Ruleset {
  version: number;
  rules: readonly Rule[];
}

export type FollowUp = Pick<RuleTerms, 'minutes' | 'isWorkingClock' | 'onExpiry' | 'maxMoves'>;

export interface Lead {
  id: string;
  status: AssignmentStatus;
  moves: number;
  ownerId: string | null;
  poolId: string | null;
  isResponded: boolean;
  responderId: string | null;
  clockDueMs: number | null;
  /** When its owner got it, since when the clock counts. */
  givenMs: number;
  /** Its follow-up has expired, and its rule moves it to the next agent who can take it. */
  awaitsSuccessor: boolean;
  /** The rule that made the newest entry of its history, and the follow-up of that entry. */
  rule: Rule | null;
  followUp: FollowUp | null;
  /** The same of the newest entry by a rule or with an agent: what an operator's agent goes on with. */
  terms: Pick<Lead, 'rule' | 'followUp'>;
  /** The operator's last hand-over, while nothing else has happened to it. */
  undoable: Undoable | null;
  holders: Set<string>;
  taken: Set<string>;
  /** Until when its holder has to hold it to have held it for a follow-up. */
  heldUntilMs: number;
  /** When it arrived: its place among those that wait. */
  placeMs: number;
  /** Until when it waits by each rule, since an agent held it or an operator asked for something else. */
  waits: Map<string, number>;
  /** The rules by which it began to wait in this round. */
  toldWaits: Set<string>;
  waitsBy: string | null;
}

export interface Undoable {
  id: string;
  isUndo: boolean;
  status: AssignmentStatus;
  ownerId: string | null;
  poolId: string | null;
  waits: Map<string, number>;
}

export type Verdict = { agentId: string; eligible: boolean; reason?: string };

/** Decided by the last rule that was tried. Null if by none. */
export type Decision = { verdicts: Verdict[] } & (
  | { kind: 'assigned'; rule: Rule; eligible: Agent[] }
  | { kind: 'pool' | 'unassigned'; rule: Rule | null }
  | { kind: 'waiting'; rule: Rule; dueMs: number; endsMs: number }
);

export interface Model {
  agents: readonly Agent[];
  leads: Lead[];
  rulesets: Ruleset[];
  active: Ruleset;
  /** Every time that somebody was given a lead. It counts unless it was taken back, or is what a lead came back by. */
  assignments: { agentId: string; leadId: string; atMs: number; isCounted: boolean }[];
  defaultMinutes: number;
}

const localMs = ({ offsetMinutes }: Agent, atMs: number) => atMs + offsetMinutes * MINUTE_MS;
const dayOf = (agent: Agent, atMs: number) => Math.floor(localMs(agent, atMs) / DAY_MS);

function isAbsent({ absences }: Agent, atMs: number): boolean {
  return absences.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
}

function isAtWork(agent: Agent, atMs: number): boolean {
  if (agent.hours === null) return true;
  const { days, fromMinute, toMinute } = agent.hours;
  const day = dayOf(agent, atMs);
  const minute = (localMs(agent, atMs) - day * DAY_MS) / MINUTE_MS;
  const isOn = (which: number) => days.includes((which + 4) % 7); // the first of January 1970 was a Thursday
  if (fromMinute < toMinute) return isOn(day) && minute >= fromMinute && minute < toMinute;
  return (isOn(day) && minute >= fromMinute) || (isOn(day - 1) && minute < toMinute);
}

export function countToday({ assignments }: Model, agent: Agent, atMs: number): number {
  const today = dayOf(agent, atMs);
  const ofAgent = assignments.filter((each) => each.agentId === agent.id && each.isCounted);
  const ofToday = ofAgent.filter((each) => dayOf(agent, each.atMs) >= today);
  return new Set(ofToday.map(({ leadId }) => leadId)).size;
}

export function countOpen({ leads }: Model, agentId: string): number {
  return leads.filter((lead) => lead.ownerId === agentId && !lead.isResponded).length;
}

function whyNever(lead: Lead, agent: Agent): string | null {
  if (!agent.active) return 'inactive';
  if (lead.taken.has(agent.id)) return 'taken_by_operator';
  return lead.holders.has(agent.id) ? 'held_earlier_in_round' : null;
}

function hasOpenLeads(model: Model, { id, openCap }: Agent): boolean {
  return openCap !== null && countOpen(model, id) >= openCap;
}

function isFullToday(model: Model, agent: Agent, nowMs: number, atMs: number): boolean {
  if (agent.dailyCap === null) return false;
  const isToday = dayOf(agent, nowMs) === dayOf(agent, atMs);
  return (isToday ? countToday(model, agent, nowMs) : 0) >= agent.dailyCap;
}

/** Null: the agent can take the lead. The first of several reasons is the one that is explained. */
function whyNot(model: Model, lead: Lead, rule: Rule, agent: Agent, nowMs: number): string | null {
  const reason = whyNever(lead, agent);
  if (reason === 'inactive') return reason;
  if (agent.isPaused) return 'paused';
  if (isAbsent(agent, nowMs)) return 'absent';
  if (reason !== null) return reason;
  if (isFullToday(model, agent, nowMs, nowMs)) return 'daily_cap';
  if (hasOpenLeads(model, agent)) return 'open_cap';
  return rule.keepsHours && !isAtWork(agent, nowMs) ? 'outside_working_hours' : null;
}

/** When the clock lets the agent take the lead, if nothing else keeps them from it; null: not before the end. */
function freeAt(model: Model, lead: Lead, rule: Rule, agent: Agent, nowMs: number, endsMs: number) {
  if (whyNever(lead, agent) !== null || agent.openCap === 0) return null;
  const nextStepMs = (atMs: number) => (Math.floor(atMs / STEP_MS) + 1) * STEP_MS;
  for (let atMs = nowMs; atMs <= endsMs; atMs = nextStepMs(atMs)) {
    const isFree = !isAbsent(agent, atMs) && !isFullToday(model, agent, nowMs, atMs);
    if (isFree && (!rule.keepsHours || isAtWork(agent, atMs))) return atMs;
  }
  return null;
}

const agentsOf = ({ agents }: Model, { agentIds }: Rule): Agent[] =>
  agentIds.flatMap((id) => agents.filter((agent) => agent.id === id));

export function judge(model: Model, lead: Lead, rule: Rule, nowMs: number) {
  const reasons = agentsOf(model, rule).map((agent) => ({
    agent,
    reason: whyNot(model, lead, rule, agent, nowMs),
  }));
  const eligible = reasons.flatMap(({ agent, reason }) => (reason === null ? [agent] : []));
  const verdicts = reasons.map(({ agent: { id: agentId }, reason }) =>
    reason === null ? { agentId, eligible: true } : { agentId, eligible: false, reason },
  );
  return { eligible: rule.isLeastLoaded ? lightest(model, eligible, nowMs) : eligible, verdicts };
}

function lightest(model: Model, eligible: Agent[], nowMs: number): Agent[] {
  const loads = eligible.map((agent) => {
    const own = model.assignments.filter(({ agentId }) => agentId === agent.id);
    const last = Math.max(0, ...own.map(({ atMs }) => atMs));
    return { agent, load: [countOpen(model, agent.id), countToday(model, agent, nowMs), last] };
  });
  const compare = (a: number[], b: number[]) =>
    a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  const least = loads.toSorted((a, b) => compare(a.load, b.load))[0];
  return loads
    .filter(({ load }) => least && compare(load, least.load) === 0)
    .map(({ agent }) => agent);
}

export function decideLead(model: Model, lead: Lead, nowMs: number): Decision {
  let verdicts: Verdict[] = [];
  const tried: Rule[] = [];
  for (const rule of model.active.rules) {
    tried.push(rule);
    const judged = judge(model, lead, rule, nowMs);
    ({ verdicts } = judged);
    const { eligible } = judged;
    if (eligible.length > 0) return { kind: 'assigned', rule, eligible, verdicts };
    const wait = findWait(model, lead, tried, nowMs);
    if (wait) return { kind: 'waiting', rule, verdicts, ...wait };
    if (rule.leave !== 'next') return { kind: rule.leave, rule, verdicts };
  }
  return { kind: 'unassigned', rule: null, verdicts };
}

/** The wait of the last rule, as long as the clock frees nobody whom an earlier one could choose. */
function findWait(model: Model, lead: Lead, rules: readonly Rule[], nowMs: number) {
  const rule = rules.at(-1);
  if (!rule || rule.atMostMinutes === null) return null;
  const running = [...lead.waits.values()].filter((endMs) => endMs > nowMs);
  const begunMs =
    lead.waits.get(rule.name) ?? (running.length > 0 ? Math.min(...running) : undefined);
  const endsMs = begunMs ?? nowMs + rule.atMostMinutes * MINUTE_MS;
  if (endsMs <= nowMs) return null;
  const momentsOf = (agents: Agent[], each: Rule) =>
    agents
      .map((agent) => freeAt(model, lead, each, agent, nowMs, endsMs))
      .filter((atMs) => atMs !== null);
  if (begunMs === undefined && momentsOf(agentsOf(model, rule), rule).length === 0) return null;
  const isKept = (agent: Agent) => agent.isPaused || hasOpenLeads(model, agent);
  const certain = rules.flatMap((each) =>
    momentsOf(
      agentsOf(model, each).filter((agent) => !isKept(agent)),
      each,
    ),
  );
  return { dueMs: Math.min(endsMs, ...certain), endsMs };
}

/** When a clock that starts now is due; null: none runs. */
export function clockDueMs(
  { isResponded }: Lead,
  agent: Agent,
  { minutes, isWorkingClock }: FollowUp,
  nowMs: number,
): number | null {
  if (isResponded || minutes === 0) return null;
  let leftMs = minutes * MINUTE_MS;
  if (!isWorkingClock) return nowMs + leftMs;
  let atMs = nowMs;
  while (atMs < nowMs + 366 * DAY_MS) {
    const nextMs = (Math.floor(atMs / STEP_MS) + 1) * STEP_MS;
    if (isAtWork(agent, atMs) && !isAbsent(agent, atMs)) {
      if (nextMs - atMs >= leftMs) return atMs + leftMs;
      leftMs -= nextMs - atMs;
    }
    atMs = nextMs;
  }
  return null;
}
