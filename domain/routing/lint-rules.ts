import { findContraryField, implies, type Places } from './compare-conditions.ts';
import type { Condition } from './condition.ts';
import { asksForContactOwner } from './eligibility.ts';
import { expiryPoolId } from './follow-up.ts';
import { alwaysEnds, claimsLead, rulesInOrder } from './match-rules.ts';
import type { RosterAgent } from './roster.ts';
import { leaveOf, type Rule } from './rules.ts';
import { windowsByDay } from './working-hours.ts';

type LintedFields = 'id' | 'active' | 'dailyCap' | 'openCap' | 'workingHours' | 'datedHours';

export interface LintRecords {
  agents: readonly Pick<RosterAgent, LintedFields>[];
  teams: readonly { id: string; agentIds: readonly string[] }[];
  pools: ReadonlyMap<string, { name: string; enabled: boolean }>;
  places: Places;
}

type Finding = readonly [flaw: { kind: string } & Readonly<Record<string, unknown>>, text: string];

const CHECKS = [checkReached, checkConditions, checkClaims, checkPools, checkAgents];

export function lintRules(given: readonly Rule[], records: LintRecords) {
  const rules = rulesInOrder({ rules: given }, { distributionType: null }).map(({ rule }) => rule);
  return rules.flatMap((rule) => {
    const { name, order } = rule;
    return CHECKS.flatMap((check) => check(rule, records, rules)).map(([flaw, text]) => {
      return { rule: name, order, flaw, text: `Rule '${name}' (order ${order}) ${text}.` };
    });
  });
}

/** A rule with claims gets its leads before the rules in front of it. */
function checkReached(rule: Rule, { places }: LintRecords, rules: readonly Rule[]): Finding[] {
  const ending = rules.slice(0, rules.indexOf(rule)).filter(alwaysEnds);
  const taking = alternativesOf(rule).map((held) => {
    const isMet = (wanted: Condition) => held.some((each) => implies(each, wanted, places));
    return ending.find((each) => alternativesOf(each).some((all) => all.every(isMet)))?.name;
  });
  if (rule.claims.length > 0 || taking.includes(undefined)) return [];
  const by = [...new Set(taking)];
  const taken = `before it ${by.length === 1 ? 'takes' : 'take'} every lead that it matches`;
  return [[{ kind: 'never_reached', by }, `is never reached: '${by.join("', '")}' ${taken}`]];
}

function checkConditions({ when }: Rule, { places }: LintRecords): Finding[] {
  return when.flatMap((all, at): Finding[] => {
    const field = findContraryField(all, places);
    const text = `has conditions on ${field} that contradict each other, in alternative ${at + 1}`;
    return field ? [[{ kind: 'contradiction', alternative: at + 1, field }, text]] : [];
  });
}

function checkClaims(rule: Rule, { places }: LintRecords, rules: readonly Rule[]): Finding[] {
  return rules.slice(0, rules.indexOf(rule)).flatMap(({ name: by, claims, when }): Finding[] => {
    const type = rule.claims.find((each) => claimsLead(claims, each));
    const both = alternativesOf({ when }).flatMap((one) =>
      alternativesOf(rule).map((other) => [...one, ...other]),
    );
    if (type === undefined || both.every((all) => findContraryField(all, places))) return [];
    return [[{ kind: 'claimed_twice', type, by }, `claims ${type}, as '${by}' before it does`]];
  });
}

function checkPools(rule: Rule, { pools }: LintRecords): Finding[] {
  const { target, followUp } = rule;
  const leave = target.kind === 'pool' ? target : leaveOf(rule);
  const isMoved = target.kind !== 'pool' && followUp.minutes !== 0 && followUp.onExpiry === 'pool';
  const expiry = isMoved ? expiryPoolId(rule) : null;
  const poolIds = new Set(['poolId' in leave ? leave.poolId : [], expiry ?? []].flat());
  const off = [...poolIds].filter((poolId) => !pools.get(poolId)?.enabled);
  const findings = off.map((poolId): Finding => {
    const text = `names pool ${pools.get(poolId)?.name ?? poolId}, which is switched off`;
    return [{ kind: 'pool_off', poolId }, text];
  });
  const text = 'moves leads without a response to a pool, but names none';
  return isMoved && expiry === null ? [...findings, [{ kind: 'no_expiry_pool' }, text]] : findings;
}

function checkAgents(rule: Rule, { agents, teams }: LintRecords): Finding[] {
  const { target, gates, followUp } = rule;
  if (target.kind === 'pool') {
    const text = 'asks for the agent of an earlier lead, but its target is a pool';
    return asksForContactOwner(rule) ? [[{ kind: 'contact_owner_of_pool' }, text]] : [];
  }
  const team = teams.find(({ id }) => target.kind === 'team' && id === target.teamId);
  const memberIds = target.kind === 'agent' ? [target.agentId] : (team?.agentIds ?? []);
  const members = agents.filter(({ id }) => memberIds.includes(id));
  const available = members.filter(
    ({ active, dailyCap, openCap }) => active && !(gates.caps && (dailyCap === 0 || openCap === 0)),
  );
  if (available.length === 0) {
    const { length } = members;
    const why = length === 0 ? 'its team has no agents' : 'no agent is active with a cap above 0';
    return [[{ kind: 'nobody', agents: length }, `goes to nobody: ${why}`]];
  }
  const working = available.filter(everWorks);
  const able = gates.availability === 'ignore' ? available : working;
  const hasNext = able.length > 1 && followUp.maxMoves > 0 && gates.contactOwner !== 'require';
  const hasClock = followUp.clock !== 'working' || working.length > 0;
  if (followUp.minutes === 0 || followUp.onExpiry !== 'reassign' || (hasNext && hasClock))
    return [];
  return [[{ kind: 'no_next_agent' }, 'reassigns leads without a response, but to no other agent']];
}

/** Paused and absent agents return, but an agent without any hours never works. */
function everWorks({ workingHours, datedHours = [] }: Pick<RosterAgent, LintedFields>): boolean {
  const all = [workingHours, ...datedHours.map((each) => each.workingHours)];
  return all.some((hours) => windowsByDay(hours).some((windows) => windows.length > 0));
}

function alternativesOf({ when }: Pick<Rule, 'when'>): readonly (readonly Condition[])[] {
  return when.length === 0 ? [[]] : when;
}
