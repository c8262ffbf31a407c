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
  const what = `${count(liveTokens, 'live token')} of ${name} will fail at once.`;
  await confirm(operator, what, options);
  const em = await operator.entityManager();
  const revokedTokens = await revokeTokens(em, clientId, operator.now());
  const done = `${count(revokedTokens, 'token')} of ${name} revoked.`;
  operator.show({ clientId, revokedTokens }, () => done);
}
