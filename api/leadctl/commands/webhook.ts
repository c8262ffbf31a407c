import type { CommandGroup } from '../main.ts';
import { addEndpoint } from '../webhook/add.ts';
import type { AddOptions } from '../webhook/add.ts';

export const webhookCommands: CommandGroup = (program, run) => {
  const webhook = program
    .command('webhook')
    .description('Who hears of leads, and what became of each call.');
  webhook
    .command('add')
    .description('Register an address for a client; its signing secret is shown once.')
    .requiredOption('--client <clientId>', 'whose leads it hears of')
    .requiredOption('--url <url>', 'where to send')
    .option('--events <names>', 'comma-separated', 'lead.created,lead.assigned')
    .option('--allow-http', 'plain http, for development', false)
    .action((options: AddOptions) => run((operator) => addEndpoint(operator, options)));
};
