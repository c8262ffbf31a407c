import { revokeClientTokens } from '../client/revoke-tokens.ts';
import type { CommandGroup } from '../main.ts';

export const tokenCommands: CommandGroup = (program, run) => {
  const token = program.command('token').description('Bearer tokens.');
  token
    .command('revoke')
    .description('End all tokens of a client at once; its secret stays good.')
    .argument('<clientId>', 'the client’s public id')
    .option('--yes', 'do not ask', false)
    .action((clientId: string, options: { yes: boolean }) =>
      run((operator) => revokeClientTokens(operator, clientId, options)),
    );
};
