import { leaveOf, type Rule } from './rules.ts';
import {
  claimsLead,
  alwaysEnds,
  matchRule,
  matchRules,
  rulesInOrder,
  type Match,
} from './match-rules.ts';
import {
  factFound,
  holds,
  type Condition,
  type FactValue,
  type FailedCondition,
  type LeadFacts,
  type LeadLocation,
} from './condition.ts';
import { SUITS } from './eligibility.ts';
import { createLeadFinder, isOneOf, type LeadFinder } from './example-lead.ts';
import { expiryPoolId } from './follow-up.ts';
import { findRuleLosses, type RuleLoss } from './ruleset-losses.ts';
import type { RosterAgent } from './roster.ts';

/** The agents, teams, pools and locations that rules are checked against. */
export interface LintRecords {
  agents: readonly LintAgent[];
  teams: readonly { id: string; agentIds: readonly string[] }[];
  pools: readonly { id: string; enabled: boolean }[];
  locations: readonly LeadLocation[];
}

type LintAgent = Pick<
  RosterAgent,
  'id' | 'active' | 'languages' | 'locationIds' | 'dailyCap' | 'openCap'
>;

export type Flaw =
  /** The rules in `by` take every lead that it matches. */
  | { kind: 'never_reached'; by: string[] }
  /** It has no conditions, and these come after it. */
  | { kind: 'not_last'; before: string[] }
  /** No lead meets this alternative, counted from 1: one that meets the rest of it fails this condition. */
  | { kind: 'contradiction'; alternative: number; failed: FailedCondition }
  /** Only a lead with two places or a range of amounts meets it. */
  | { kind: 'two_values'; alternative: number; failed: FailedCondition }
  | { kind: 'claimed_twice'; type: string; by: string }
  /** None of its agents is active with a cap above 0. */
  | { kind: 'nobody'; agents: number }
  /** The pool is switched off or deleted. */
  | { kind: 'pool_off'; poolId: string }
  | { kind: 'not_covered'; field: 'language' | 'location'; value: FactValue }
  /** `onExpiry: reassign` or `pool` without one to move the lead to. */
  | { kind: 'no_next_agent' | 'no_expiry_pool' }
  /** An active rule that the new rules switch off, empty or move. */
  | RuleLoss;

export interface RuleWarning {
  rule: string;
  order: number;
  flaw: Flaw;
  /** A lead that is affected. Null if no lead matches the rule. */
  example: LeadFacts | null;
  /** How many past leads are affected. */
  leads: number;
}

interface Finding extends Pick<RuleWarning, 'flaw' | 'example'> {
  affects: (facts: LeadFacts, match: Match | undefined) => boolean;
}

interface Context {
  /** The enabled rules in the order in which they are tried. */
  rules: readonly Rule[];
  records: LintRecords;
  findLead: LeadFinder;
}

/**
 * Lists what is certainly wrong with rules, and which active ones they switch off, empty or move. `add` counts a past lead
 * for each warning that affects it.
 */
export function lintRules(
  { active, rules: all }: { active: readonly Rule[]; rules: readonly Rule[] },
  records: LintRecords,
) {
  const rules = rulesInOrder({ rules: all }, { distributionType: null }).map(({ rule }) => rule);
  const conditions = rules.flatMap(({ when }) => when.flat());
  const context = { rules, records, findLead: createLeadFinder(conditions, records.locations) };
  const findings = rules.flatMap((rule) =>
    CHECKS.flatMap((check) => check(rule, context)).map((finding) => ({ rule, ...finding })),
  );
  const found = [...findLosses(active, all), ...findings].map(({ rule, affects, ...finding }) => {
    return { warning: { rule: rule.name, order: rule.order, ...finding, leads: 0 }, affects };
  });
  return {
    warnings: found.map(({ warning }) => warning),
    add(facts: LeadFacts): void {
      const matched = matchRules(facts, { rules }).rules;
      const byName = new Map(matched.map(({ rule, match }) => [rule.name, match]));
      for (const { warning, affects } of found)
        if (affects(facts, byName.get(warning.rule))) warning.leads += 1;
    },
  };
}

/** The loss of a rule affects the leads that it matched, or that it matches once it is emptied. */
function findLosses(active: readonly Rule[], rules: readonly Rule[]): (Finding & { rule: Rule })[] {
  return findRuleLosses(active, rules).flatMap((flaw) => {
    const isLost = ({ name }: Rule) => name === flaw.rule;
    const rule = active.find(isLost);
    if (!rule) return [];
    const counted = flaw.kind === 'emptied' ? rules.find(isLost) : rule;
    const affects = (facts: LeadFacts) => matches(counted ?? rule, facts);
    return [{ rule, flaw, example: null, affects }];
  });
}

const CHECKS = [checkReached, checkLast, checkWhen, checkClaims, checkTarget, checkCoverage];

const isMatched: Finding['affects'] = (_, match) => match?.kind === 'matched';

function checkReached(rule: Rule, { rules, findLead }: Context): Finding[] {
  const example = matchingLead(rule, findLead);
  const by = new Set<string>();
  const isReached = [null, ...rule.claims].some((distributionType) => {
    const inOrder = rulesInOrder({ rules }, { distributionType }).map((ranked) => ranked.rule);
    const ending = inOrder.slice(0, inOrder.indexOf(rule)).filter(alwaysEnds);
    return alternativesOf(rule).some((held) => {
      const lead = findLead({ held });
      if (!lead) return false;
      const taking = ending.find((each) => takesAll(each, held, lead, findLead));
      if (taking) by.add(taking.name);
      return !taking;
    });
  });
  if (!example || isReached) return [];
  const affects: Finding['affects'] = (facts, match) =>
    match?.kind === 'not_reached' && matches(rule, facts);
  return [{ flaw: { kind: 'never_reached', by: [...by] }, example, affects }];
}

/** Whether one alternative holds for every lead that meets the conditions. `lead`, which meets them, rules out most rules. */
function takesAll(rule: Rule, held: readonly Condition[], lead: LeadFacts, findLead: LeadFinder) {
  return alternativesOf(rule).some(
    (all) =>
      all.every((each) => holds(each, lead)) &&
      all.every((each) => !findLead({ held, failed: [each] })),
  );
}

/** Later rules that claim leads are still reached. Later rules without conditions take what this one could not place. */
function checkLast(rule: Rule, { rules, findLead }: Context): Finding[] {
  if (alternativesOf(rule).every(({ length }) => length > 0)) return [];
  const passed = rules
    .slice(rules.indexOf(rule) + 1)
    .filter(({ claims, when }) => claims.length === 0 && (when.length > 0 || alwaysEnds(rule)));
  const [first] = passed;
  if (!first) return [];
  const affects: Finding['affects'] = (facts, match) =>
    match?.kind === 'matched' && passed.some((each) => matches(each, facts));
  const before = passed.map(({ name }) => name);
  return [{ flaw: { kind: 'not_last', before }, example: matchingLead(first, findLead), affects }];
}

function checkWhen({ when }: Rule, { findLead }: Context): Finding[] {
  return when.flatMap((all, index) => {
    const rare = findLead({ held: all });
    const find = (held: readonly Condition[]) => findLead({ held, isPlain: rare !== null });
    const at = all.findIndex((_, last) => !find(all.slice(0, last + 1)));
    const clashing = all[at];
    if (!clashing) return [];
    const { field, op, values: wanted } = clashing;
    const others = all.filter((each) => each.field !== field);
    const before = all.slice(0, at);
    const failing = find([...before, ...others]) ?? find(before);
    const failed = { field, op, wanted, found: failing ? factFound(field, failing) : [] };
    const kind = rare ? ('two_values' as const) : ('contradiction' as const);
    const affects: Finding['affects'] = (facts, match) =>
      match?.kind === 'failed' && others.every((each) => holds(each, facts));
    return [{ flaw: { kind, alternative: index + 1, failed }, example: rare ?? failing, affects }];
  });
}

function checkClaims(rule: Rule, { rules, findLead }: Context): Finding[] {
  return rules.slice(0, rules.indexOf(rule)).flatMap((earlier) => {
    const type = rule.claims.find((each) => claimsLead(earlier.claims, each));
    if (type === undefined) return [];
    const when = alternativesOf(earlier).flatMap((one) =>
      alternativesOf(rule).map((other) => [...one, ...other]),
    );
    const lead = matchingLead({ when }, findLead);
    if (!lead) return [];
    const affects: Finding['affects'] = (facts) =>
      claimsLead([type], facts.distributionType) && matches(earlier, facts) && matches(rule, facts);
    const example = { ...lead, distributionType: type };
    return [{ flaw: { kind: 'claimed_twice', type, by: earlier.name }, example, affects }];
  });
}

function checkTarget(rule: Rule, { records, findLead }: Context): Finding[] {
  const { target, followUp } = rule;
  const hasAgents = target.kind !== 'pool';
  const hasClock = hasAgents && followUp.minutes !== 0;
  const isMovedToPool = hasClock && followUp.onExpiry === 'pool';
  const pools = [
    target,
    ...(hasAgents ? [leaveOf(rule)] : []),
    ...(isMovedToPool ? [followUp] : []),
  ];
  const poolIds = pools.flatMap((each) => ('poolId' in each ? (each.poolId ?? []) : []));
  const isOff = (id: string) => !records.pools.some((pool) => pool.id === id && pool.enabled);
  const off = [...new Set(poolIds)].filter(isOff);
  const flaws: Flaw[] = off.map((poolId) => ({ kind: 'pool_off', poolId }));
  const { members, available } = agentsOf(rule, records);
  if (hasAgents && available.length === 0) flaws.push({ kind: 'nobody', agents: members.length });
  if (
    hasClock &&
    followUp.onExpiry === 'reassign' &&
    (available.length === 1 || followUp.maxMoves === 0 || rule.gates.contactOwner === 'require')
  )
    flaws.push({ kind: 'no_next_agent' });
  if (isMovedToPool && expiryPoolId(rule) === null) flaws.push({ kind: 'no_expiry_pool' });
  const example = matchingLead(rule, findLead);
  return flaws.map((flaw) => ({ flaw, example, affects: isMatched }));
}

/** Warns about values in conditions that none of the rule's agents covers. */
function checkCoverage(rule: Rule, { records, findLead }: Context): Finding[] {
  const { available } = agentsOf(rule, records);
  return rule.when.flatMap((all) =>
    all.flatMap((condition) => {
      const { field } = condition;
      if (field !== 'language' && field !== 'location') return [];
      if (rule.gates[field] !== 'require' || available.length === 0) return [];
      const suits = (facts: LeadFacts) => available.some((agent) => SUITS[field](agent, facts));
      if (!isOneOf(condition)) return [];
      return condition.values.flatMap((value) => {
        const asked = { ...condition, values: [value] } as Condition;
        const example = findLead({ held: [asked, ...all] });
        const locations = records.locations.map((place) => [place]);
        const isInside = (location: LeadLocation[]) =>
          example && field === 'location' && holds(asked, { ...example, location });
        const inside = locations.filter(isInside).map((location) => ({ location }));
        if (!example || [{}, ...inside].some((place) => suits({ ...example, ...place }))) return [];
        const affects: Finding['affects'] = (facts, match) =>
          match?.kind === 'matched' && holds(asked, facts) && !suits(facts);
        return [{ flaw: { kind: 'not_covered' as const, field, value }, example, affects }];
      });
    }),
  );
}

/** The members of a rule's target, and those who can ever take a lead: paused and absent agents come back. */
function agentsOf({ target, gates }: Rule, { teams, agents }: LintRecords) {
  const isMember = ({ id }: LintAgent) =>
    target.kind === 'agent'
      ? target.agentId === id
      : target.kind === 'team' &&
        teams.some((team) => team.id === target.teamId && team.agentIds.includes(id));
  const members = agents.filter(isMember);
  const available = members.filter(
    ({ active, dailyCap, openCap }) => active && !(gates.caps && (dailyCap === 0 || openCap === 0)),
  );
  return { members, available };
}

/** A rule without conditions has one alternative, which every lead meets. */
function alternativesOf({ when }: Pick<Rule, 'when'>): readonly (readonly Condition[])[] {
  return when.length === 0 ? [[]] : when;
}

function matchingLead({ when }: Pick<Rule, 'when'>, findLead: LeadFinder): LeadFacts | null {
  const leads = alternativesOf({ when }).map((held) => findLead({ held }));
  return leads.find((lead) => lead !== null) ?? null;
}

function matches(rule: Rule, facts: LeadFacts): boolean {
  return matchRule(rule, facts).kind === 'matched';
}
