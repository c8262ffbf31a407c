import { revokeTokens } from '../store/clients/manage-client.ts';
import { findClient } from './client.ts';
import { mayProceed, withConsent, type Consent } from './confirm.ts';
import type { CommandGroup, Operator } from './operator.ts';
import { count } from './text.ts';

export const tokenCommands: CommandGroup = (program, run) => {
  const token = program.command('token').description('Bearer tokens.');
  withConsent(token.command('revoke'))
    .description('End all tokens of a client at once; its secret stays good.')
    .argument('<clientId>', 'the client’s public id or name')
    .action(run(revokeClientTokens));
};

async function revokeClientTokens(operator: Operator, client: string, options: Consent) {
  const { clientId, name, liveTokens } = await findClient(operator, client);
  const what = `${count(liveTokens, 'live token')} of ${name} will fail at once.`;
  const size = { clientId, liveTokens };
  if (!(await mayProceed(operator, { what, size }, options))) return;
  const em = await operator.entityManager();
  const revokedTokens = await revokeTokens(em, clientId, operator.now());
  const done = `${count(revokedTokens, 'token')} of ${name} revoked.`;
  operator.show({ clientId, revokedTokens }, () => done);
}
