import type { FollowUp } from './follow-up.ts';
import type { FailedCondition } from './condition.ts';
import type { AgentVerdict, Preference } from './eligibility.ts';
import type { CreditChange } from './roster.ts';
import type { Leave, Target } from './rules.ts';
import { assertNever } from '../assert-never.ts';
import type { UnassignedReason } from '../webhooks/event-payloads.ts';

export interface Assigned {
  kind: 'assigned';
  agentId: string;
  ruleName: string;
  followUp: FollowUp;
  /** 0: no response deadline. */
  followUpMs: number;
  rotation: CreditChange[];
  room: number;
  explanation: Explanation;
}

export type Decision =
  | Assigned
  | { kind: 'pool'; poolId: string; ruleName: string; explanation: Explanation }
  /** `dueAt`: when the first agent of the rule can take the lead. */
  | { kind: 'waiting'; ruleName: string; dueAt: Date; endsAt: Date; explanation: Explanation }
  | { kind: 'unassigned'; ruleName: string | null; explanation: Explanation };

export type Reassignment = Extract<Decision, { kind: 'assigned' | 'waiting' }>;

export type Destination =
  | { kind: 'agent'; agentId: string }
  | { kind: 'pool'; poolId: string }
  | { kind: 'waiting'; minutes: number }
  | { kind: 'nobody' };

export function destinationOf(decision: Decision, decidedAt: Date): Destination {
  if (decision.kind === 'assigned') return { kind: 'agent', agentId: decision.agentId };
  if (decision.kind === 'pool') return { kind: 'pool', poolId: decision.poolId };
  if (decision.kind === 'waiting') {
    const waitMs = decision.dueAt.getTime() - decidedAt.getTime();
    return { kind: 'waiting', minutes: Math.round(waitMs / 60_000) };
  }
  return { kind: 'nobody' };
}

export function destinationKey(destination: Destination): string {
  if (destination.kind === 'agent') return `agent ${destination.agentId}`;
  return destination.kind === 'pool' ? `pool ${destination.poolId}` : destination.kind;
}

/** Stored permanently, so that it has a version and contains ids, never a person's name. */
export interface Explanation {
  version: 1;
  rules: RuleTrace[];
}

export type RuleTrace = { name: string; order: number; claimed: boolean } & RuleOutcome;

export type RuleOutcome =
  | { outcome: 'not_matched'; failed: FailedCondition[]; why: string }
  | { outcome: 'exhausted'; agents: AgentVerdict[]; then: Leave | null; why: string }
  | ({ outcome: 'waiting'; agents: AgentVerdict[]; why: string } & Wait)
  | { outcome: 'chosen'; target: Target; selection: Selection; why: string }
  | { outcome: 'not_reached' };

export interface Wait {
  /** ISO 8601, like `endsAt`. When an agent can take the lead, as far as is known, or else the end of the wait. */
  dueAt: string;
  /** Agents who can by then. Empty if `dueAt` is the end of the wait. */
  awaited: string[];
  endsAt: string;
}

export type Selection =
  | { by: 'pool'; poolId: string }
  | ({ by: 'named_agent' } & ChosenAgent)
  | ({ by: 'weighted_round_robin'; arithmetic: CreditStep[] } & ChosenAgent)
  | ({ by: 'least_loaded'; loads: Load[] } & ChosenAgent);

interface ChosenAgent {
  chosen: string;
  agents: AgentVerdict[];
  preferred: Preference[];
}

export interface CreditStep {
  agentId: string;
  creditBefore: number;
  weight: number;
  creditAfter: number;
}

export interface Load {
  agentId: string;
  openLeads: number;
  assignedToday: number;
  lastAssignedAt: string | null;
}

type NameOf = (id: string) => string;

type Settling = Extract<RuleTrace, { outcome: 'chosen' | 'exhausted' | 'waiting' }>;

type Awaiting = Extract<RuleTrace, { outcome: 'waiting' }>;

/** Contains names of rules, agents and pools, never of the customer. */
export function summarise({ rules }: Explanation, nameOf: NameOf): string[] {
  const settled = rules.find(settles);
  const before = settled ? rules.slice(0, rules.indexOf(settled)) : rules;
  return [
    settled ? settledLine(settled, nameOf) : 'No rule placed the lead',
    ...missLine(before, !settled),
    ...whyNobody({ rules: before }),
  ];
}

export function whyNobody({ rules }: Pick<Explanation, 'rules'>): string[] {
  return rules
    .filter((rule) => rule.outcome === 'exhausted')
    .map(({ name, why, agents }) => `Rule '${name}': ${why}${reasonsOf(agents)}`);
}

/** For integrators, who do not know the rules. */
export function whyUnassigned(explanation: Explanation | undefined): UnassignedReason {
  const hadNobody = explanation?.rules.some(({ outcome }) => outcome === 'exhausted');
  return hadNobody ? 'nobody_available' : 'no_rule_matched';
}

function settles(rule: RuleTrace): rule is Settling {
  if (rule.outcome === 'exhausted') return rule.then !== null && rule.then.kind !== 'next';
  return rule.outcome === 'chosen' || rule.outcome === 'waiting';
}

function settledLine(rule: Settling, nameOf: NameOf): string {
  const claim = rule.claimed ? ', which claims this distribution type,' : '';
  const subject = `Rule '${rule.name}'${claim}`;
  if (rule.outcome === 'chosen') return `${subject} ${choiceText(rule.selection, nameOf)}`;
  if (rule.outcome === 'waiting') return `${subject} ${waitText(rule, nameOf)}`;
  const left = rule.then?.kind === 'pool' ? `in pool ${nameOf(rule.then.poolId)}` : 'unassigned';
  return `${subject} left it ${left}: ${rule.why}${reasonsOf(rule.agents)}`;
}

function waitText({ awaited, dueAt, agents, why }: Awaiting, nameOf: NameOf): string {
  const whom = awaited.length === 0 ? 'the end of its wait' : awaited.map(nameOf).join(', ');
  return `waits until ${dueAt.slice(0, 16).replace('T', ' ')} UTC for ${whom}: ${why}${reasonsOf(agents)}`;
}

function choiceText(selection: Selection, nameOf: NameOf): string {
  switch (selection.by) {
    case 'pool':
      return `left it in pool ${nameOf(selection.poolId)}`;
    case 'named_agent':
      return `names ${nameOf(selection.chosen)}`;
    case 'weighted_round_robin':
      return `chose ${nameOf(selection.chosen)} by weighted round robin${among(selection.agents)}`;
    case 'least_loaded':
      return `chose ${nameOf(selection.chosen)} as the least loaded${among(selection.agents)}`;
    default:
      return assertNever(selection);
  }
}

function among(agents: readonly AgentVerdict[]): string {
  const eligible = agents.filter((agent) => agent.eligible).length;
  return `, ${eligible} of ${agents.length} eligible${reasonsOf(agents)}`;
}

function missLine(before: readonly RuleTrace[], isAll: boolean): string[] {
  const misses = before.filter(({ outcome }) => outcome === 'not_matched').length;
  if (misses === 0) return [];
  return [`${misses} ${misses === 1 ? 'rule' : 'rules'}${isAll ? '' : ' before it'} did not match`];
}

/** " (2 paused, 1 daily cap)" */
function reasonsOf(agents: readonly AgentVerdict[]): string {
  const reasons = agents.flatMap((agent) => (agent.eligible ? [] : [agent.reason]));
  if (reasons.length === 0) return '';
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, { length }]) =>
      `${length} ${reason.replace('others', 'with_others').replace('Owner', '_owner').replaceAll('_', ' ')}`,
  );
  return ` (${counts.join(', ')})`;
}
