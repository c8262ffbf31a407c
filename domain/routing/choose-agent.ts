import { assertNever } from '../assert-never.ts';
import type { CreditChange } from './decision.ts';
import { shortlistAgents, type Shortlist } from './eligibility.ts';
import type { AgentVerdict, RuleOutcome, Selection } from './explanation.ts';
import { leastLoaded } from './least-loaded.ts';
import type { RoutingContext, Team } from './roster.ts';
import type { OnExhausted, Rule, Strategy, Target } from './rule-schema.ts';
import { takeTurn } from './weighted-round-robin.ts';

export type AgentTarget = Exclude<Target, { kind: 'pool' }>;

export type Choice =
  | {
      kind: 'chosen';
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

/** How an explanation shows a choice; `then` is what the rule does when it is exhausted. */
export function outcomeOf(rule: Rule, choice: Choice, then: OnExhausted | null): RuleOutcome {
  if (choice.kind === 'exhausted') {
    return { outcome: 'exhausted', agents: choice.agents, then, why: choice.why };
  }
  const { selection, why } = choice;
  return { outcome: 'chosen', target: rule.target, selection, why };
}

/** A team that is gone is one without members. */
function chooseFromTeam(rule: Rule, team: Team | undefined, context: RoutingContext): Choice {
  const agentIds = team?.members.map(({ agentId }) => agentId) ?? [];
  const list = shortlistAgents(agentIds, rule.gates, context);
  const chosen = team ? STRATEGIES[rule.strategy](list, team, context) : null;
  return chosen ?? { kind: 'exhausted', agents: list.agents, why: exhaustedText(agentIds.length) };
}

type Choose = (list: Shortlist, team: Team, context: RoutingContext) => Chosen | null;

const STRATEGIES: Record<Strategy, Choose> = {
  weighted_round_robin({ eligible, agents, preferred }, team, context) {
    const turn = takeTurn(team, new Set(eligible.map(({ id }) => id)), context.agents);
    if (!turn) return null;
    const { chosen, arithmetic, changes } = turn;
    return {
      kind: 'chosen',
      selection: { by: 'weighted_round_robin', chosen, agents, preferred, arithmetic },
      rotation: changes,
      why: `highest credit of ${eligible.length} eligible`,
    };
  },
  least_loaded({ eligible, agents, preferred }) {
    const lightest = leastLoaded(eligible);
    if (!lightest) return null;
    const { chosen, loads } = lightest;
    return {
      kind: 'chosen',
      selection: { by: 'least_loaded', chosen, agents, preferred, loads },
      rotation: [],
      why: `least loaded of ${eligible.length} eligible`,
    };
  },
};

function chooseNamed({ gates }: Rule, agentId: string, context: RoutingContext): Choice {
  const { eligible, agents, preferred } = shortlistAgents([agentId], gates, context);
  if (eligible.length === 0) {
    return { kind: 'exhausted', agents, why: 'the agent it names could not take the lead' };
  }
  return {
    kind: 'chosen',
    selection: { by: 'named_agent', chosen: agentId, agents, preferred },
    rotation: [],
    why: 'the rule names this agent',
  };
}

function exhaustedText(members: number): string {
  if (members === 0) return 'its team has no members';
  return `none of the ${members} in its team could take the lead`;
}
