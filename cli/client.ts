import { randomBytes, randomUUID } from 'node:crypto';
import {
  CREDENTIAL_BYTES,
  formatCredential,
  hashSecret,
  KNOWN_SCOPES,
} from '../domain/clients/credentials.ts';
import { readClient, readClients, type ClientEntry } from '../store/clients/clients.ts';
import { OAuthClient, OAuthToken } from '../store/tables/clients.ts';
import { countOpenDeliveries, releaseHeldDeliveries } from '../store/webhooks/deliveries.ts';
import { findOneClient } from './lead/find.ts';
import { clientName, publicId, quotaOrDefault, scopes, wholeNumber } from './arguments.ts';
import { mayProceed, withConsent, type Consent } from './confirm.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';
import { tableOf } from './table.ts';
import { count, figure, withOneLineTexts } from './text.ts';

const CLIENT_TEXT = 'the client’s public id, the beginning of one, or its name';

export const clientCommands: CommandGroup = (program, run) => {
  const client = program.command('client').description('Integrators and their credentials.');
  client
    .command('create')
    .description('Make a client; its secret is shown once.')
    .requiredOption('--name <name>', 'what the integration is called in notes and logs', clientName)
    .option('--client-id <id>', 'a public id of your choice', publicId)
    .option('--scope <scope>', 'space-separated scopes, such as leads:all', scopes, '')
    .option('--quota <requests>', 'requests per UTC day', wholeNumber)
    .action(run(createClient));
  client
    .command('list')
    .description('All clients, with their requests of today and their live tokens.')
    .action(run(listClients));
  withConsent(client.command('rotate'))
    .description('Give a client a new secret; the old one and its tokens fail at once.')
    .argument('<clientId>', CLIENT_TEXT)
    .option('--keep-tokens', 'leave the tokens that it has now', false)
    .action(run(rotateClient));
  withConsent(client.command('deactivate'))
    .description('Refuse a client’s credentials, end its tokens and hold its webhooks back.')
    .argument('<clientId>', CLIENT_TEXT)
    .action(run(deactivateClient));
  client
    .command('activate')
    .description(
      'Accept a client’s credentials again; it needs a new token. Webhooks that waited are sent.',
    )
    .argument('<clientId>', CLIENT_TEXT)
    .action(run(activateClient));
  client
    .command('quota')
    .description('Show a client’s quota, or set it.')
    .argument('<clientId>', CLIENT_TEXT)
    .argument('[requests]', 'per UTC day, or "default"', quotaOrDefault)
    .action(run(showOrSetQuota));
};

async function findClient(operator: Operator, text: string): Promise<ClientEntry> {
  const { clientId } = await findOneClient(operator, text);
  const client = await readClient(await operator.database(), clientId, operator.now());
  if (client) return withOneLineTexts(client);
  throw new OperatorError(`Client ${clientId} not found; see leadctl client list.`);
}

async function listClients(operator: Operator) {
  operator.show(await readClients(await operator.database(), operator.now()), clientsText);
}

const clientsText = tableOf<ClientEntry>({
  client_id: 'clientId',
  name: 'name',
  scope: 'scope',
  quota: ({ dailyQuota }) => dailyQuota ?? 'default',
  today: 'usedToday',
  tokens: 'liveTokens',
  active: 'active',
  created: 'createdAt',
  rotated: 'rotatedAt',
});

interface CreateOptions {
  name: string;
  clientId?: string;
  scope: string;
  quota?: number;
}

async function createClient(operator: Operator, options: CreateOptions) {
  const em = await operator.entityManager();
  const { name, clientId = randomUUID(), scope, quota = null } = options;
  if (await em.findOne(OAuthClient, { clientId }))
    throw new OperatorError(
      `There is a client ${clientId} already; leadctl client rotate gives it a new secret.`,
    );
  warnOfUnknownScopes(operator, scope);
  const { clientSecret, secretHash } = newSecret(operator);
  await em.transactional(async (transaction) => {
    transaction.create(OAuthClient, {
      id: randomUUID(),
      clientId,
      name,
      secretHash,
      scope,
      dailyQuota: quota,
      active: true,
      createdAt: operator.now(),
      rotatedAt: null,
    });
    await transaction.flush();
    await operator.showSecret({ clientId, clientSecret, name, scope }, () =>
      credentialsText(clientId, clientSecret),
    );
  });
}

/** Another service may know the scope, but a misspelt scope would silently grant nothing. */
function warnOfUnknownScopes(operator: Operator, scope: string): void {
  const unknown = scope.split(' ').filter((each) => each && !KNOWN_SCOPES.has(each));
  if (unknown.length === 0) return;
  const known = [...KNOWN_SCOPES].join(', ');
  operator.note(
    `Warning: ${unknown.join(', ')} grants nothing here. Scopes of the service: ${known}.`,
  );
}

function credentialsText(clientId: string, clientSecret: string, before = ''): string {
  const credentials = `client_id      ${clientId}\nclient_secret  ${clientSecret}`;
  return `${credentials}\n${before}The secret is not shown again.`;
}

function newSecret({ config }: Operator) {
  const random = randomBytes(CREDENTIAL_BYTES);
  const clientSecret = formatCredential(config.environment, 'sec', random);
  return { clientSecret, secretHash: hashSecret(clientSecret) };
}

async function rotateClient(
  operator: Operator,
  text: string,
  { keepTokens, ...options }: Consent & { keepTokens: boolean },
) {
  const { clientId, name, liveTokens } = await findClient(operator, text);
  const tokens = keepTokens ? '' : ` and its ${count(liveTokens, 'live token')}`;
  const what = `The secret of ${name}${tokens} will fail at once.`;
  const size = { clientId, liveTokens: keepTokens ? 0 : liveTokens };
  if (!(await mayProceed(operator, { what, size }, options))) return;
  const { clientSecret, secretHash } = newSecret(operator);
  const now = operator.now();
  const manager = await operator.entityManager();
  await manager.transactional(async (em) => {
    await em.nativeUpdate(OAuthClient, { clientId }, { secretHash, rotatedAt: now });
    const revokedTokens = keepTokens ? 0 : await revokeTokens(em, clientId, now);
    await operator.showSecret({ clientId, clientSecret, revokedTokens }, () =>
      credentialsText(clientId, clientSecret, `${count(revokedTokens, 'token')} revoked. `),
    );
  });
}

type EntityManager = Awaited<ReturnType<Operator['entityManager']>>;

function revokeTokens(em: EntityManager, clientId: string, now: Date): Promise<number> {
  const valid = { client: { clientId }, revokedAt: null, expiresAt: { $gt: now } };
  return em.nativeUpdate(OAuthToken, valid, { revokedAt: now });
}

/** Revokes the tokens, since activating the client again must not revive a leaked token. */
async function deactivateClient(operator: Operator, client: string, options: Consent) {
  const { clientId, name, liveTokens } = await findClient(operator, client);
  const database = await operator.database();
  const waiting = await countOpenDeliveries(database, clientId);
  const size = { clientId, liveTokens, waitingDeliveries: waiting };
  const what = `Requests of ${name} and its ${count(liveTokens, 'live token')} will fail at once; its webhooks wait, ${figure(waiting)} by now.`;
  const outlook = 'leadctl client activate takes it back, but the tokens are gone';
  if (!(await mayProceed(operator, { what, size, outlook }, options))) return;
  const manager = await operator.entityManager();
  const changed = await manager.transactional(async (em) => {
    const active = { clientId, active: true };
    const updated = await em.nativeUpdate(OAuthClient, active, { active: false });
    await revokeTokens(em, clientId, operator.now());
    return updated > 0;
  });
  const waitingDeliveries = await countOpenDeliveries(database, clientId);
  const state = changed
    ? 'is deactivated; its requests are refused from now on'
    : 'was deactivated already';
  const text = `${name} ${state}. Its webhooks wait until leadctl client activate: ${figure(waitingDeliveries)} so far.`;
  operator.show({ clientId, active: false, changed, waitingDeliveries }, () => text);
}

/** Also signals the leads of an active client, since an earlier command may have been interrupted. */
async function activateClient(operator: Operator, client: string) {
  const { clientId, name } = await findClient(operator, client);
  const em = await operator.entityManager();
  const inactive = { clientId, active: false };
  const changed = (await em.nativeUpdate(OAuthClient, inactive, { active: true })) > 0;
  const database = await operator.database();
  const dueDeliveries = await releaseHeldDeliveries(database, clientId, operator.now());
  const state = changed ? 'is active' : 'was active already';
  const sent =
    dueDeliveries > 0 ? ` Its webhooks that waited are sent now: ${figure(dueDeliveries)}.` : '';
  const view = { clientId, active: true, changed, dueDeliveries };
  operator.show(view, () => `${name} ${state}.${sent}`);
}

/** Null restores the configured default. */
async function showOrSetQuota(operator: Operator, text: string, wanted?: number | null) {
  const { clientId, name, usedToday, ...client } = await findClient(operator, text);
  if (wanted !== undefined) {
    const em = await operator.entityManager();
    await em.nativeUpdate(OAuthClient, { clientId }, { dailyQuota: wanted });
  }
  const own = wanted === undefined ? client.dailyQuota : wanted;
  const dailyQuota = own ?? operator.config.dailyQuota;
  const isDefault = own === null;
  const may = `${name} may make ${figure(dailyQuota)} requests a day${isDefault ? ' by default' : ''}`;
  const shown = `${may}; ${figure(usedToday)} today.`;
  operator.show({ clientId, dailyQuota, isDefault, usedToday }, () => shown);
}

export const tokenCommands: CommandGroup = (program, run) => {
  const token = program.command('token').description('Bearer tokens.');
  withConsent(token.command('revoke'))
    .description('End all tokens of a client at once; its secret stays good.')
    .argument('<clientId>', CLIENT_TEXT)
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
