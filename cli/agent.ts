import {
  findAgent,
  readAgents,
  setPaused,
  type AgentEntry,
  type AgentIdentity,
} from '../store/routing/agents.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';
import { tableOf, timeText } from './text.ts';

export const agentCommands: CommandGroup = (program, run) => {
  const agent = program.command('agent').description('Who is given leads.');
  agent
    .command('list')
    .description('All agents, with what counts against their caps.')
    .action(run(listAgents));
  agent
    .command('pause')
    .description(
      'Let no rule choose an agent; what they hold, and leads that name them, are theirs.',
    )
    .argument('<email>', 'the agent’s e-mail')
    .action(run((operator, email: string) => setAgentPaused(operator, email, true)));
  agent
    .command('resume')
    .description('Give a paused agent leads again.')
    .argument('<email>', 'the agent’s e-mail')
    .action(run((operator, email: string) => setAgentPaused(operator, email, false)));
};

export async function findAgentByEmail(operator: Operator, email: string): Promise<AgentIdentity> {
  const agent = await findAgent(await operator.database(), email);
  if (agent) return agent;
  throw new OperatorError('There is no agent with this e-mail; see leadctl agent list.');
}

async function listAgents(operator: Operator) {
  operator.show(await readAgents(await operator.database(), operator.now()), agentsText);
}

async function setAgentPaused(operator: Operator, email: string, paused: boolean) {
  const agent = await findAgentByEmail(operator, email);
  const at = paused ? operator.now() : null;
  const changed = await setPaused(await operator.entityManager(), agent.id, at);
  operator.show({ ...agent, paused, changed }, () => {
    const state = paused ? 'paused' : 'taking leads';
    return changed ? `${agent.name} is ${state}.` : `${agent.name} was ${state} already.`;
  });
}

const agentsText = tableOf<AgentEntry>({
  agent: 'name',
  slug: 'slug',
  'e-mail': 'email',
  state: stateText,
  teams: 'teams',
  languages: 'languages',
  today: (agent) => capText(agent.assignedToday, agent.dailyCap),
  open: (agent) => capText(agent.openLeads, agent.openCap),
  id: 'id',
});

function stateText({ active, pausedAt }: AgentEntry): string {
  if (!active) return 'not active';
  return pausedAt ? `paused since ${timeText(pausedAt)}` : 'takes leads';
}

function capText(amount: number, cap: number | null): string {
  return cap === null ? String(amount) : `${amount} of ${cap}`;
}
