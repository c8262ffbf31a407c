import { isAbsentAt } from '../../domain/routing/calendar.ts';
import { findAgent, readAgents, type AgentIdentity } from '../../store/routing/agents.ts';
import { OperatorError, type Operator } from '../operator.ts';

export async function findAgentByEmail(operator: Operator, email: string): Promise<AgentIdentity> {
  const agent = await findAgent(await operator.database(), email);
  if (agent) return agent;
  throw new OperatorError('There is no agent with this e-mail; see leadctl agent list.');
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
