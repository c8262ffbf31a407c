import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { environment as ofService } from '../../platform/config.ts';
import { shellWord } from '../../platform/shell-word.ts';
import { TLS_VARIABLES } from '../../platform/temporal-settings.ts';
import { addressFile, DEFAULT_DATA_DIR, lastAddressFile, writePrivate } from './data-folder.ts';
import { environment as ofStack } from './settings.ts';

/** The content of `stack.json` while a stack runs; null for what this stack did not start. */
export interface Addresses {
  baseUrl: string;
  opsUrl: string;
  workerOpsUrl: string;
  clientId: string;
  clientSecret: string;
  databaseUrl: string;
  temporalAddress: string;
  temporalUiUrl: string | null;
  registryUrl: string | null;
  receiverUrl: string;
  /** With the rights of the schema's owner; `databaseUrl` has those of the service. */
  ownerDatabaseUrl: string;
  /** The beginning of each line of leadctl for this stack, in the project's folder. */
  leadctl: string;
  /** The same of Temporal's own command, with its binary. */
  temporalCli: string | null;
  /**
   * What the stack was started with and leadctl, the demo and the replay go by too, as environment variables. A stack that
   * an earlier version started has none.
   */
  settings?: Record<string, string>;
  /** What else a next start is to be given, but for secrets and `DATA_DIR`: a copy of the folder lies elsewhere. */
  startedWith?: Record<string, string>;
  /** The names of the secrets that it was given too. */
  startedWithSecrets?: string[];
}

const SHARED_SETTINGS = [
  'ENVIRONMENT',
  'COMPANY_NAME',
  'COMPANY_TIME_ZONE',
  'DAILY_QUOTA',
  'FOLLOW_UP_MINUTES',
  'TEMPORAL_NAMESPACE',
];

export const sharedSettings = (env: NodeJS.ProcessEnv) => variablesOf(env, SHARED_SETTINGS);

const SECRETS = [
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'SECRETS_KEY',
  'DNCR_CLIENT_ID',
  'DNCR_CLIENT_SECRET',
  'TEMPORAL_API_KEY',
  ...TLS_VARIABLES.filter((name) => name.endsWith('_DATA')),
];

/** Those that leadctl alone reads, or that the stack finds by itself. */
const NOT_OF_A_START = ['DATA_DIR', 'API_OPS_URL', 'WORKER_OPS_URL'];

const TEMPORAL_VARIABLES = [
  'TEMPORAL_BINARY',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_PROFILE',
  'TEMPORAL_TLS',
  ...TLS_VARIABLES.filter((name) => !name.endsWith('_DATA')),
];

const START_VARIABLES = [
  ...Object.keys({ ...ofService.shape, ...ofStack.shape }),
  ...TEMPORAL_VARIABLES,
].filter((name) => ![...SHARED_SETTINGS, ...SECRETS, ...NOT_OF_A_START].includes(name));

/** What a next start is to be given, so that nothing that was set is left out unseen. */
export const startVariables = (env: NodeJS.ProcessEnv) => ({
  startedWith: variablesOf(env, START_VARIABLES),
  startedWithSecrets: Object.keys(variablesOf(env, SECRETS)),
});

function variablesOf(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/** `DATA_DIR` says which stack leadctl connects to, where it is not the folder that it looks in by itself. */
export function leadctlLine(dataDir: string): string {
  const command = './leadctl';
  const isFound = dataDir === path.resolve(DEFAULT_DATA_DIR);
  return isFound ? command : `DATA_DIR=${shellWord(dataDir)} ${command}`;
}

export function temporalLine(binary: string, address: string, namespace: string): string {
  const ofNamespace = namespace === 'default' ? '' : `TEMPORAL_NAMESPACE=${shellWord(namespace)} `;
  return `TEMPORAL_ADDRESS=${address} ${ofNamespace}${shellWord(binary)}`;
}

/** A second file, without secrets, stays for `leadctl status`, which says of a stopped stack what is away. */
export function publishAddresses(dataDir: string, addresses: Addresses): void {
  const databaseUrl = withoutSecrets(addresses.databaseUrl);
  const ownerDatabaseUrl = withoutSecrets(addresses.ownerDatabaseUrl);
  const secretless = { clientSecret: undefined, databaseUrl, ownerDatabaseUrl };
  writeJson(lastAddressFile(dataDir), { ...addresses, ...secretless });
  writeJson(addressFile(dataDir), addresses);
}

/** Null where no stack runs on the folder. */
export function readAddresses(dataDir: string): Addresses | null {
  try {
    return JSON.parse(readFileSync(addressFile(dataDir), 'utf8')) as Addresses;
  } catch {
    return null;
  }
}

const writeJson = (file: string, value: object) =>
  writePrivate(file, `${JSON.stringify(value, null, 2)}\n`);

function withoutSecrets(address: string): string {
  return URL.canParse(address) ? `postgres://${new URL(address).host}` : 'postgres://';
}

export function withdrawAddresses(dataDir: string): void {
  rmSync(addressFile(dataDir), { force: true });
}

const EXAMPLE_LEAD = {
  leadFirstName: 'Layla',
  leadLastName: 'Haddad',
  leadPhones: ['+971501234567'],
  leadEmails: ['layla@example.com'],
  source: 'Website',
  areaOfInterest: 'Dubai Marina',
  initialInquiry: 'Two bedrooms with a sea view, please.',
};

const LINES: readonly [string, (at: Addresses, dataDir: string) => string | null][] = [
  ['API', (at) => at.baseUrl],
  ['health and metrics', (at) => `${at.opsUrl}/readyz  ${at.opsUrl}/metrics`],
  ['Temporal Web UI', (at) => at.temporalUiUrl],
  ['Temporal', (at) => at.temporalAddress],
  ['webhooks received', (at) => at.receiverUrl],
  ['DNCR registry', (at) => at.registryUrl],
  ['Postgres', (at) => at.databaseUrl],
  ['client', (at) => `${at.clientId}  ${at.clientSecret}`],
  ['data and logs', (_, dataDir) => dataDir],
  ['for operators', (at) => `${at.leadctl} status`],
  ['Temporal’s command', (at) => at.temporalCli && `${at.temporalCli} workflow list`],
];

/** The last output of `npm start`: all addresses, and a first request to paste. */
export function formatReadyMessage(at: Addresses, dataDir: string): string {
  const where = LINES.flatMap(([name, of]) => {
    const address = of(at, dataDir);
    return address ? [`  ${name.padEnd(20)}${address}`] : [];
  });
  return ['', 'Ready.', ...where, '', firstRequest(at)].join('\n');
}

function firstRequest({ baseUrl, clientId: client_id, clientSecret: client_secret }: Addresses) {
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  const json = `-H 'Content-Type: application/json'`;
  const bearer = `-H "Authorization: Bearer $TOKEN"`;
  return `A first request, from token to owner:

TOKEN=$(curl -s ${baseUrl}/oauth2/token ${json} \\
  -d '${JSON.stringify(grant)}' \\
  | node -pe 'JSON.parse(fs.readFileSync(0)).access_token')

LEAD=$(curl -s ${baseUrl}/public/leads ${bearer} ${json} \\
  -d '${JSON.stringify(EXAMPLE_LEAD)}' \\
  | tee /dev/stderr | node -pe 'JSON.parse(fs.readFileSync(0)).id')

sleep 1; curl -s ${baseUrl}/public/leads/$LEAD/assignment ${bearer}

Ctrl-C stops all of it; the next start goes on where this one was.
`;
}
