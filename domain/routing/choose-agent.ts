import { assertNever } from '../assert-never.ts';
import type { CreditChange } from './decision.ts';
import { shortlistAgents } from './eligibility.ts';
import type { Shortlist } from './eligibility.ts';
import type { AgentVerdict, Selection } from './explanation.ts';
import { leastLoaded } from './least-loaded.ts';
import type { RoutingContext, Team } from './roster.ts';
import type { Rule, Target } from './rule-schema.ts';
import { takeTurn } from './weighted-round-robin.ts';

export type AgentTarget = Exclude<Target, { kind: 'pool' }>;

export type Choice =
  | {
      kind: 'chosen';
      agentId: string;
      selection: Exclude<Selection, { by: 'pool' }>;
      rotation: CreditChange[];
      why: string;
    }
  | { kind: 'exhausted'; agents: AgentVerdict[]; why: string };

type Chosen = Extract<Choice, { kind: 'chosen' }>;

/** The agent of a rule's target who takes the lead, if any of them can. */
export function chooseAgent(rule: Rule, target: AgentTarget, context: RoutingContext): Choice {
  switch (target.kind) {
    case 'team':
      return chooseFromTeam(rule, context.teams.get(target.teamId), context);
    case 'agent':
      return chooseNamed(rule, target.agentId, context);
    default:
      return assertNever(target);
  }
}

/** A team that is gone is one without members. */
function chooseFromTeam(rule: Rule, team: Team | undefined, context: RoutingContext): Choice {
  const agentIds = team?.members.map(({ agentId }) => agentId) ?? [];
  const list = shortlistAgents(agentIds, rule.gates, context);
  const chosen = team ? byStrategy(rule, team, list, context) : null;
  return chosen ?? { kind: 'exhausted', agents: list.agents, why: exhaustedText(agentIds.length) };
}

function byStrategy(
  { strategy }: Rule,
  team: Team,
  list: Shortlist,
  context: RoutingContext,
): Chosen | null {
  switch (strategy) {
    case 'weighted_round_robin':
      return chooseByRotation(team, list, context);
    case 'least_loaded':
      return chooseByLoad(list);
    default:
      return assertNever(strategy);
  }
}

function chooseByRotation(
  team: Team,
  { eligible, agents, preferred }: Shortlist,
  context: RoutingContext,
) {
  const turn = takeTurn(team, new Set(eligible.map(({ id }) => id)), context.agents);
  if (!turn) return null;
  const { chosen, arithmetic, changes } = turn;
  return {
    kind: 'chosen',
    agentId: chosen,
    selection: { by: 'weighted_round_robin', chosen, agents, preferred, arithmetic },
    rotation: changes,
    why: `highest credit of ${eligible.length} eligible`,
  } satisfies Chosen;
}

function chooseByLoad({ eligible, agents, preferred }: Shortlist) {
  const lightest = leastLoaded(eligible);
  if (!lightest) return null;
  const { chosen, loads } = lightest;
  return {
    kind: 'chosen',
    agentId: chosen,
    selection: { by: 'least_loaded', chosen, agents, preferred, loads },
    rotation: [],
    why: `least loaded of ${eligible.length} eligible`,
  } satisfies Chosen;
}

function chooseNamed(
  { gates: eligibility }: Rule,
  agentId: string,
  context: RoutingContext,
): Choice {
  const { eligible, agents, preferred } = shortlistAgents([agentId], eligibility, context);
  if (eligible.length === 0) {
    return { kind: 'exhausted', agents, why: 'the agent it names could not take the lead' };
  }
  return {
    kind: 'chosen',
    agentId,
    selection: { by: 'named_agent', chosen: agentId, agents, preferred },
    rotation: [],
    why: 'the rule names this agent',
  };
}

function exhaustedText(members: number): string {
  if (members === 0) return 'its team has no members';
  return `none of the ${members} in its team could take the lead`;
}
