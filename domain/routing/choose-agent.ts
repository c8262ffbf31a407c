import type { Assigned, CreditChange } from './decision.ts';
import { shortlistAgents, type Shortlist } from './eligibility.ts';
import type { RuleOutcome, Selection } from './explanation.ts';
import { followUpMsOf, followUpOf, type FollowUp } from './follow-up.ts';
import { leastLoaded } from './least-loaded.ts';
import { calendarOf, type RoutingContext, type Team } from './roster.ts';
import type { Leave, Rule, Strategy, Target } from './rule-schema.ts';
import { takeTurn } from './weighted-round-robin.ts';

interface Choice {
  selection: Exclude<Selection, { by: 'pool' }>;
  rotation: CreditChange[];
  why: string;
}

/**
 * The agent of a rule's target who takes the lead, if any of them can, and how an explanation shows that;
 * `then` is what the rule does when none can.
 */
export function chooseAgent(
  rule: Rule,
  target: Exclude<Target, { kind: 'pool' }>,
  context: RoutingContext,
  then: Leave | null,
): { outcome: RuleOutcome; assigned: Omit<Assigned, 'explanation'> | null } {
  // A team that is gone is one without members.
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
  const followUpMs = startClock(followUp, agentId, context);
  const why = choice.why + (followUp.minutes > 0 && followUpMs === 0 ? NO_CLOCK : '');
  return {
    outcome: { outcome: 'chosen', target, selection, why },
    assigned: { kind: 'assigned', agentId, ruleName: rule.name, followUp, followUpMs, rotation },
  };
}

const NO_CLOCK = '; no response clock runs, since the agent has no working time within a year';

function startClock(followUp: FollowUp, agentId: string, context: RoutingContext): number {
  const { agents, holidays, now } = context;
  const agent = agents.get(agentId);
  return agent ? followUpMsOf(followUp, calendarOf(agent, holidays), now) : 0;
}

type Choose = (list: Shortlist, team: Team, context: RoutingContext) => Choice | null;

const STRATEGIES: Record<Strategy, Choose> = {
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
