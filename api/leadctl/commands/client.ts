import { randomBytes, randomUUID } from 'node:crypto';
import { CREDENTIAL_BYTES, formatCredential, hashSecret } from '../../../domain/credentials.ts';
import { OAuthClient } from '../../../store/entities.ts';
import type { CommandGroup } from '../main.ts';
import { OperatorError, tableText } from '../operator.ts';
import type { Operator } from '../operator.ts';

export const clientCommands: CommandGroup = (program, run) => {
  const client = program.command('client').description('Integrators and their credentials.');
  client
    .command('create')
    .description('Make a client; its secret is shown once.')
    .requiredOption('--name <name>', 'what the integration is called in notes and logs')
    .option('--client-id <id>', 'a public id of your choice')
    .option('--scope <scope>', 'space-separated scopes, such as leads:all', '')
    .option('--quota <requests>', 'requests per UTC day', Number)
    .action((options: CreateOptions) => run((operator) => createClient(operator, options)));
  client
    .command('list')
    .description('All clients.')
    .action(() => run(listClients));
};

interface CreateOptions {
  name: string;
  clientId?: string;
  scope: string;
  quota?: number;
}

async function createClient(operator: Operator, options: CreateOptions): Promise<void> {
  const em = (await operator.database()).orm.em.fork();
  const clientId = options.clientId ?? randomUUID();
  if (await em.findOne(OAuthClient, { clientId })) {
    throw new OperatorError(`There is a client ${clientId} already.`);
  }
  const clientSecret = formatCredential(
    operator.config.environment,
    'sec',
    randomBytes(CREDENTIAL_BYTES),
  );
  em.create(OAuthClient, {
    id: randomUUID(),
    clientId,
    name: options.name,
    secretHash: hashSecret(clientSecret),
    scope: options.scope,
    dailyQuota: options.quota ?? null,
    active: true,
    createdAt: operator.now(),
    rotatedAt: null,
  });
  await em.flush();
  operator.show({ clientId, clientSecret, name: options.name, scope: options.scope }, (made) =>
    [
      `client_id      ${made.clientId}`,
      `client_secret  ${made.clientSecret}`,
      'The secret is not shown again.',
    ].join('\n'),
  );
}

async function listClients(operator: Operator): Promise<void> {
  const em = (await operator.database()).orm.em.fork();
  const clients = await em.find(OAuthClient, {}, { orderBy: { createdAt: 'asc' } });
  const view = clients.map(({ clientId, name, scope, dailyQuota, active, createdAt }) => ({
    clientId,
    name,
    scope,
    dailyQuota,
    active,
    createdAt,
  }));
  operator.show(view, (rows) =>
    tableText(
      ['client_id', 'name', 'scope', 'quota', 'active', 'created'],
      rows.map((row) => [
        row.clientId,
        row.name,
        row.scope,
        row.dailyQuota ?? 'default',
        row.active ? 'yes' : 'no',
        row.createdAt.toISOString(),
      ]),
    ),
  );
}
