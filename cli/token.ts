import { revokeTokens } from '../store/clients/manage-client.ts';
import { findClient } from './client.ts';
import { confirm, type CommandGroup, type Operator } from './operator.ts';
import { count } from './text.ts';

export const tokenCommands: CommandGroup = (program, run) => {
  const token = program.command('token').description('Bearer tokens.');
  token
    .command('revoke')
    .description('End all tokens of a client at once; its secret stays good.')
    .argument('<clientId>', 'the client’s public id')
    .option('--yes', 'do not ask', false)
    .action(run(revokeClientTokens));
};

async function revokeClientTokens(operator: Operator, clientId: string, options: { yes: boolean }) {
  const { name, liveTokens } = await findClient(operator, clientId);
  await confirm(
    operator,
    `${count(liveTokens, 'live token')} of ${name} will fail at once.`,
    options,
  );
  const revokedTokens = await revokeTokens(
    (await operator.database()).entityManager(),
    clientId,
    operator.now(),
  );
  operator.show(
    { clientId, revokedTokens },
    () => `${count(revokedTokens, 'token')} of ${name} revoked.`,
  );
}
