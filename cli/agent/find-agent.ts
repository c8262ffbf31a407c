import { isAbsentAt } from '../../domain/routing/calendar.ts';
import {
  findAgents,
  findNearAgents,
  readAgents,
  type AgentIdentity,
} from '../../store/routing/agents.ts';
import { OperatorError, type Operator } from '../operator.ts';

export const AGENT_TEXT = 'the agent’s e-mail, slug or name';

export async function findAgent(operator: Operator, text: string): Promise<AgentIdentity> {
  const database = await operator.database();
  const [agent, ...others] = await findAgents(database, text);
  if (agent && others.length === 0) return agent;
  const told = agent
    ? `Several agents are called ${agent.name}: ${listed([agent, ...others])}.`
    : nearText(await findNearAgents(database, text));
  throw new OperatorError(told);
}

const listed = (agents: readonly AgentIdentity[]) =>
  agents.map(({ name, email }) => `${name} (${email})`).join(', ');

function nearText(near: readonly AgentIdentity[]): string {
  const none = 'There is no agent with this e-mail, slug or name';
  return near.length > 0 ? `${none}. Near: ${listed(near)}.` : `${none}; see leadctl agent list.`;
}

/** Why the rules give an agent no lead now; null where they do. */
export async function readAway(
  operator: Operator,
  agentId: string,
): Promise<'not active' | 'paused' | 'absent' | null> {
  const now = operator.now();
  const agents = await readAgents(await operator.database(), now);
  const agent = agents.find(({ id }) => id === agentId);
  if (!agent?.active) return 'not active';
  if (agent.pausedAt) return 'paused';
  return isAbsentAt(agent, now) ? 'absent' : null;
}

/** A pause or an absence keeps rules from choosing an agent, not operators. */
export async function warnOfAway(
  operator: Operator,
  { id, name }: Pick<AgentIdentity, 'id' | 'name'>,
): Promise<string[]> {
  const away = await readAway(operator, id);
  if (away === null || away === 'not active') return [];
  return [`${name} is ${away}: no rule chooses them, but leads that name them still go to them.`];
}
