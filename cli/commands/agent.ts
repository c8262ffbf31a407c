import { listAgents } from '../agent/list.ts';
import { setAgentPaused } from '../agent/pause.ts';
import type { CommandGroup } from '../main.ts';

export const agentCommands: CommandGroup = (program, run) => {
  const agent = program.command('agent').description('Who is given leads.');
  agent
    .command('list')
    .description('All agents, with what counts against their caps.')
    .action(() => run(listAgents));
  agent
    .command('pause')
    .description(
      'Let no rule choose an agent; what they hold, and leads that name them, are theirs.',
    )
    .argument('<email>', 'the agent’s e-mail')
    .action((email: string) => run((operator) => setAgentPaused(operator, email, true)));
  agent
    .command('resume')
    .description('Give a paused agent leads again.')
    .argument('<email>', 'the agent’s e-mail')
    .action((email: string) => run((operator) => setAgentPaused(operator, email, false)));
};
