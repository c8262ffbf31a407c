import { assertNever } from '../assert-never.ts';
import type { CreditChange } from './decision.ts';
import type { AgentVerdict, Selection } from './explanation.ts';
import { leastLoaded } from './least-loaded.ts';
import type { Team } from './roster.ts';
import type { Rule, Target } from './rule-schema.ts';
import type { Scene } from './routing-context.ts';
import { shortlist } from './shortlist.ts';
import type { Shortlist } from './shortlist.ts';
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
export function chooseAgent(rule: Rule, target: AgentTarget, scene: Scene): Choice {
  switch (target.kind) {
    case 'team':
      return fromTeam(rule, scene.teams.get(target.teamId), scene);
    case 'agent':
      return named(rule, target.agentId, scene);
    default:
      return assertNever(target);
  }
}

/** A team that is gone is one without members. */
function fromTeam(rule: Rule, team: Team | undefined, scene: Scene): Choice {
  const agentIds = team?.members.map(({ agentId }) => agentId) ?? [];
  const list = shortlist(agentIds, rule.gates, scene);
  const chosen = team ? byStrategy(rule, team, list, scene) : null;
  return chosen ?? { kind: 'exhausted', agents: list.agents, why: whyExhausted(agentIds.length) };
}

function byStrategy({ strategy }: Rule, team: Team, list: Shortlist, scene: Scene): Chosen | null {
  switch (strategy) {
    case 'weighted_round_robin':
      return byRotation(team, list, scene);
    case 'least_loaded':
      return byLoad(list);
    default:
      return assertNever(strategy);
  }
}

function byRotation(team: Team, { eligible, agents, preferred }: Shortlist, scene: Scene) {
  const turn = takeTurn(team, new Set(eligible.map(({ id }) => id)), scene.agents);
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

function byLoad({ eligible, agents, preferred }: Shortlist) {
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

function named({ gates }: Rule, agentId: string, scene: Scene): Choice {
  const { eligible, agents, preferred } = shortlist([agentId], gates, scene);
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

function whyExhausted(members: number): string {
  if (members === 0) return 'its team has no members';
  return `none of the ${members} in its team could take the lead`;
}
