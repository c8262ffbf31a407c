import type { Command } from 'commander';
import { clientName, publicId, quotaOrDefault, scopes, wholeNumber } from '../arguments.ts';
import { createClient } from '../client/create.ts';
import type { CreateOptions } from '../client/create.ts';
import { listClients } from '../client/list.ts';
import { clientQuota } from '../client/quota.ts';
import { rotateClient } from '../client/rotate.ts';
import type { RotateOptions } from '../client/rotate.ts';
import { setClientActive } from '../client/set-active.ts';
import type { CommandGroup, Run } from '../main.ts';

export const clientCommands: CommandGroup = (program, run) => {
  const client = program.command('client').description('Integrators and their credentials.');
  client
    .command('create')
    .description('Make a client; its secret is shown once.')
    .requiredOption('--name <name>', 'what the integration is called in notes and logs', clientName)
    .option('--client-id <id>', 'a public id of your choice', publicId)
    .option('--scope <scope>', 'space-separated scopes, such as leads:all', scopes, '')
    .option('--quota <requests>', 'requests per UTC day', wholeNumber)
    .action((options: CreateOptions) => run((operator) => createClient(operator, options)));
  client
    .command('list')
    .description('All clients, with their requests of today and their live tokens.')
    .action(() => run(listClients));
  rotation(client, run);
  standing(client, run);
};

function rotation(client: Command, run: Run): void {
  client
    .command('rotate')
    .description('Give a client a new secret; the old one and its tokens fail at once.')
    .argument('<clientId>', 'the client’s public id')
    .option('--keep-tokens', 'leave the tokens that it has now', false)
    .option('--yes', 'do not ask', false)
    .action((clientId: string, options: RotateOptions) =>
      run((operator) => rotateClient(operator, clientId, options)),
    );
}

function standing(client: Command, run: Run): void {
  client
    .command('deactivate')
    .description('Refuse a client’s credentials and tokens from now on.')
    .argument('<clientId>', 'the client’s public id')
    .action((clientId: string) => run((operator) => setClientActive(operator, clientId, false)));
  client
    .command('activate')
    .description('Accept a client’s credentials and tokens again.')
    .argument('<clientId>', 'the client’s public id')
    .action((clientId: string) => run((operator) => setClientActive(operator, clientId, true)));
  client
    .command('quota')
    .description('Show a client’s quota, or set it.')
    .argument('<clientId>', 'the client’s public id')
    .argument('[requests]', 'per UTC day, or "default"', quotaOrDefault)
    .action((clientId: string, requests?: number | null) =>
      run((operator) => clientQuota(operator, clientId, requests)),
    );
}
