import { assertNever } from '../assert-never.ts';
import type { UnassignedReason } from '../webhooks/event-payloads.ts';
import type { AgentVerdict, Explanation, RuleTrace, Selection } from './explanation.ts';

/** The name of an agent or a pool, as the reader knows it. */
export type NameOf = (id: string) => string;

type Settling = Extract<RuleTrace, { outcome: 'chosen' | 'exhausted' | 'waiting' }>;

type Awaiting = Extract<RuleTrace, { outcome: 'waiting' }>;

/** A decision in a few plain lines. They name rules, agents and pools, never the customer. */
export function summarise({ rules }: Explanation, nameOf: NameOf): string[] {
  const at = rules.findIndex(settles);
  const settled = rules[at];
  const before = at < 0 ? rules : rules.slice(0, at);
  return [
    settled && settles(settled) ? settledLine(settled, nameOf) : 'No rule placed the lead',
    ...missLine(before, at < 0),
    ...whyNobody({ rules: before }),
  ];
}

/** Of the rules that found nobody, why. */
export function whyNobody({ rules }: Pick<Explanation, 'rules'>): string[] {
  return rules
    .filter((rule) => rule.outcome === 'exhausted')
    .map(({ name, why, agents }) => `Rule '${name}': ${why}${reasonsOf(agents)}`);
}

/** For integrators, who know no rules: whether any was for such a lead. */
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
    ([reason, { length }]) => `${length} ${reason.replaceAll('_', ' ')}`,
  );
  return ` (${counts.join(', ')})`;
}
