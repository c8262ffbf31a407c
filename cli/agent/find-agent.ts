import { absentUntil } from '../../domain/routing/calendar.ts';
import {
  countNewlyOwned,
  findAgents,
  findNearAgents,
  readAgents,
  type AgentEntry,
  type AgentIdentity,
} from '../../store/routing/agents.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count, figure, notFoundText, timeText } from '../text.ts';

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

/** Such as `absent until 2026-11-24`. Null if the rules assign leads to the agent. */
export async function readAway(operator: Operator, agentId: string): Promise<string | null> {
  return awayText(await readEntry(operator, agentId), operator.now());
}

export const NOT_ACTIVE = 'not active';

function awayText(agent: AgentEntry | undefined, now: Date): string | null {
  if (!agent?.active) return NOT_ACTIVE;
  if (agent.pausedAt) return 'paused';
  const until = absentUntil(agent, now);
  return until === null ? null : absenceText(until);
}

export const absenceText = (until: string) =>
  `absent until ${until.includes('T') ? timeText(until) : until}`;

async function readEntry(operator: Operator, agentId: string): Promise<AgentEntry | undefined> {
  const agents = await readAgents(await operator.database(), operator.now());
  return agents.find(({ id }) => id === agentId);
}

/** A pause, an absence or a cap limits rules, not operators. Call it before the transfer, which may fill the cap. */
export async function warnOfLimits(
  operator: Operator,
  { id, name }: AgentIdentity,
  leadIds: readonly string[],
): Promise<string[]> {
  const agent = await readEntry(operator, id);
  const away = awayText(agent, operator.now());
  const { openLeads = 0, openCap = null, assignedToday = 0, dailyCap = null } = agent ?? {};
  const given = await countNewlyOwned(await operator.database(), id, leadIds);
  return [
    away !== null &&
      away !== NOT_ACTIVE &&
      `${name} is ${away}: no rule chooses them, but leads that name them still go to them.`,
    isOver(openLeads, given.open, openCap) &&
      `${name} holds ${count(openLeads + given.open, 'open lead')} with ${these(given.open)}, over the cap of ${figure(openCap)}: no rule gives them more.`,
    isOver(assignedToday, given.leads, dailyCap) &&
      `${name} has ${count(assignedToday + given.leads, 'lead')} today with ${these(given.leads)}, over the daily cap of ${figure(dailyCap)}: no rule gives them more today.`,
  ].filter((warning) => warning !== false);
}

function isOver(before: number, given: number, cap: number | null): cap is number {
  return given > 0 && cap !== null && before + given > cap;
}

const these = (leads: number) => (leads === 1 ? 'this one' : `these ${figure(leads)}`);
