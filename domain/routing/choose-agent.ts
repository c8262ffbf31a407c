import type { Assigned, RuleOutcome, Selection, Load } from './decision.ts';
import { asksForContactOwner, roomOf, shortlistAgents, type Shortlist } from './eligibility.ts';
import { followUpMsOf, followUpOf } from './follow-up.ts';
import {
  calendarOf,
  isAway,
  counted,
  type CreditChange,
  type RoutingContext,
  type Team,
  type RosterAgent,
} from './roster.ts';
import type { Leave, Rule, Target } from './rules.ts';

interface Choice {
  selection: Exclude<Selection, { by: 'pool' }>;
  rotation: CreditChange[];
  why: string;
}

export function chooseAgent(
  rule: Rule,
  target: Exclude<Target, { kind: 'pool' }>,
  context: RoutingContext,
  then: Leave | null,
): { outcome: RuleOutcome; assigned: Omit<Assigned, 'explanation'> | null } {
  // A deleted team counts as one without members.
  const team = target.kind === 'team' ? context.teams.get(target.teamId) : undefined;
  const teamIds = team?.members.map(({ agentId }) => agentId) ?? [];
  const agentIds = target.kind === 'agent' ? [target.agentId] : teamIds;
  const list = shortlistAgents(agentIds, rule.gates, context);
  const choice = team ? STRATEGIES[rule.strategy](list, team, context) : chooseNamed(list);
  if (!choice) {
    const why = exhaustedText(target, agentIds.length);
    return { outcome: { outcome: 'exhausted', agents: list.agents, then, why }, assigned: null };
  }
  const { selection, rotation } = choice;
  const agentId = selection.chosen;
  const followUp = followUpOf(rule, context.defaults);
  const agent = context.agents.get(agentId);
  const calendar = agent && calendarOf(agent, context.holidays);
  const followUpMs = calendar ? followUpMsOf(followUp, calendar, context.now) : 0;
  const isContactOwner = asksForContactOwner(rule) && agentId === context.facts.contactOwnerId;
  const reason = isContactOwner ? 'agent of the customer’s newest earlier lead' : choice.why;
  const why = reason + (followUp.minutes > 0 && followUpMs === 0 ? NO_CLOCK : '');
  const room = rule.gates.caps ? roomOf(list.eligible) : Infinity;
  const { name: ruleName } = rule;
  return {
    outcome: { outcome: 'chosen', target, selection, why },
    assigned: { kind: 'assigned', agentId, ruleName, followUp, followUpMs, rotation, room },
  };
}

const NO_CLOCK = '; no response clock runs, since the agent has no working time within a year';

type Choose = (list: Shortlist, team: Team, context: RoutingContext) => Choice | null;

const STRATEGIES: Record<Rule['strategy'], Choose> = {
  weighted_round_robin({ eligible, agents, preferred }, team, context) {
    const turn = takeTurn(team, new Set(eligible.map(({ id }) => id)), context);
    if (!turn) return null;
    const { chosen, arithmetic, changes } = turn;
    return {
      selection: { by: 'weighted_round_robin', chosen, agents, preferred, arithmetic },
      rotation: changes,
      why: `highest credit of ${eligible.length} eligible`,
    };
  },
  least_loaded({ eligible, agents, preferred }) {
    const lightest = leastLoaded(eligible);
    if (!lightest) return null;
    return {
      selection: { by: 'least_loaded', agents, preferred, ...lightest },
      rotation: [],
      why: `least loaded of ${eligible.length} eligible`,
    };
  },
};

function chooseNamed({ eligible: [agent], agents, preferred }: Shortlist): Choice | null {
  if (!agent) return null;
  return {
    selection: { by: 'named_agent', chosen: agent.id, agents, preferred },
    rotation: [],
    why: 'the rule names this agent',
  };
}

function exhaustedText({ kind }: Target, agents: number): string {
  if (kind === 'agent') return 'the agent it names could not take the lead';
  if (agents === 0) return 'its team has no members';
  return `none of the ${agents} in its team could take the lead`;
}

/** Credits are sums of thirds and the like. */
const ALIKE = 1e-6;

/** Smooth weighted round robin. Members who cannot take the lead keep their credit; new ones start at 0, never lower. */
export function takeTurn(
  { id: teamId, members }: Team,
  eligibleIds: ReadonlySet<string>,
  { agents, now }: Pick<RoutingContext, 'agents' | 'now'>,
) {
  const present = members.filter(({ agentId }) => !isAway(agents.get(agentId), now));
  const eligible = present.filter(({ agentId }) => eligibleIds.has(agentId));
  const all = eligible.reduce((sum, { weight }) => sum + weight, 0);
  const raised = eligible.map(({ agentId, weight, credit }) => {
    const creditBefore = credit ?? 0;
    return { agentId, creditBefore, weight, credit: creditBefore + weight / all };
  });
  const highest = Math.max(...raised.map((member) => member.credit));
  const chosen = raised.find((member) => member.credit > highest - ALIKE)?.agentId;
  if (chosen === undefined) return null;
  const arithmetic = raised.map(({ credit, ...member }) => ({
    ...member,
    creditAfter: member.agentId === chosen ? credit - 1 : credit,
  }));
  const changes = arithmetic.map(({ agentId, creditAfter }) => ({
    teamId,
    agentId,
    credit: creditAfter,
  }));
  return { chosen, arithmetic, changes };
}

/** Ties go to fewer leads today, then to the longest wait, then by the order of `eligible`. */
export function leastLoaded(eligible: readonly RosterAgent[]) {
  const loads = eligible.map(({ id, openLeads, assignedToday, lastAssignedAt }) => ({
    agentId: id,
    openLeads: counted(openLeads),
    assignedToday: counted(assignedToday),
    lastAssignedAt,
  }));
  const [lightest] = loads.toSorted(byLoad);
  return lightest ? { chosen: lightest.agentId, loads } : null;
}

function byLoad(a: Load, b: Load): number {
  return a.openLeads - b.openLeads || a.assignedToday - b.assignedToday || instant(a) - instant(b);
}

function instant({ lastAssignedAt }: Load): number {
  return Date.parse(lastAssignedAt ?? '') || 0;
}
