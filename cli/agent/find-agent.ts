import { isAbsentAt } from '../../domain/routing/calendar.ts';
import {
  findAgents,
  findNearAgents,
  readAgents,
  type AgentEntry,
  type AgentIdentity,
} from '../../store/routing/agents.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count, notFoundText } from '../text.ts';

export const AGENT_TEXT =
  'the agent’s e-mail, slug or name; one word of the name, if only they have it';

export async function findAgent(operator: Operator, text: string): Promise<AgentIdentity> {
  const database = await operator.database();
  const [agent, ...others] = await findAgents(database, text);
  if (agent && others.length === 0) return agent;
  const message = agent
    ? `Several agents are called ${text.trim()}: ${[agent, ...others].map(agentLabel).join(', ')}.`
    : notFoundText(
        'Agent not found by this e-mail, slug or name',
        (await findNearAgents(database, text)).map(agentLabel),
        '; see leadctl agent list',
      );
  throw new OperatorError(message);
}

export const agentLabel = ({ name, email }: AgentIdentity) => `${name} (${email})`;

/** Why the rules give an agent no lead now; null where they do. */
export async function readAway(
  operator: Operator,
  agentId: string,
): Promise<'not active' | 'paused' | 'absent' | null> {
  const now = operator.now();
  const agent = await readEntry(operator, agentId);
  if (!agent?.active) return 'not active';
  if (agent.pausedAt) return 'paused';
  return isAbsentAt(agent, now) ? 'absent' : null;
}

async function readEntry(operator: Operator, agentId: string): Promise<AgentEntry | undefined> {
  const agents = await readAgents(await operator.database(), operator.now());
  return agents.find(({ id }) => id === agentId);
}

/** A pause, an absence or a cap keeps rules from choosing an agent, not operators. To be read before the agent gets the lead. */
export async function warnOfLimits(
  operator: Operator,
  { id, name }: Pick<AgentIdentity, 'id' | 'name'>,
): Promise<string[]> {
  const away = await readAway(operator, id);
  const { openLeads = 0, openCap = null } = (await readEntry(operator, id)) ?? {};
  const isFull = openCap !== null && openLeads >= openCap;
  return [
    ...(away === null || away === 'not active'
      ? []
      : [`${name} is ${away}: no rule chooses them, but leads that name them still go to them.`]),
    ...(isFull
      ? [
          `${name} holds ${count(openLeads, 'open lead')} already, with a cap of ${openCap}: no rule gives them more.`,
        ]
      : []),
  ];
}
