import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { shellWord } from '../../platform/shell-word.ts';
import { addressFile, DEFAULT_DATA_DIR, lastAddressFile, writePrivate } from './data-folder.ts';

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
}

const START_VARIABLES = [
  'PORT',
  'OPS_PORT',
  'WORKER_OPS_PORT',
  'HOST',
  'DEMO_DATA',
  'TEMPORAL_ADDRESS',
  'WORKER_DEPLOYMENT',
  'WORKER_BUILD_ID',
];

export const startVariables = (env: NodeJS.ProcessEnv) => variablesOf(env, START_VARIABLES);

const SHARED_SETTINGS = [
  'ENVIRONMENT',
  'COMPANY_NAME',
  'COMPANY_TIME_ZONE',
  'DAILY_QUOTA',
  'FOLLOW_UP_MINUTES',
  'TEMPORAL_NAMESPACE',
];

export const sharedSettings = (env: NodeJS.ProcessEnv) => variablesOf(env, SHARED_SETTINGS);

function variablesOf(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
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

export function publishAddresses(dataDir: string, addresses: Addresses): void {
  writePrivate(addressFile(dataDir), `${JSON.stringify(addresses, null, 2)}\n`);
}

/** Keeps them for `leadctl status`, which says what is away. */
export function withdrawAddresses(dataDir: string): void {
  if (existsSync(addressFile(dataDir))) renameSync(addressFile(dataDir), lastAddressFile(dataDir));
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
