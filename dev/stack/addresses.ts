import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { shellWord } from '../../platform/shell-word.ts';
import { addressFile, DEFAULT_DATA_DIR, writePrivate, type DemoClient } from './data-folder.ts';
import { sharedSettings, startCommand, type Ports, type Settings } from './settings.ts';

interface Started {
  settings: Settings;
  env: NodeJS.ProcessEnv;
  ports: Ports;
  client: DemoClient;
  database: { url: string; ownerUrl: string };
  temporal: { address: string; uiUrl: string | null; cli: string | null };
  registry: { url: string } | null;
  receiver: { url: string };
}

export type Addresses = ReturnType<typeof addressesOf>;

/** The content of `stack.json`. Null for what this stack did not start. */
export const addressesOf = ({ settings, env, ports, client, ...started }: Started) => ({
  baseUrl: baseUrlOf(ports),
  opsUrl: `http://127.0.0.1:${ports.ops}`,
  workerOpsUrl: `http://127.0.0.1:${ports.workerOps}`,
  clientId: client.clientId,
  clientSecret: client.clientSecret,
  databaseUrl: started.database.url,
  temporalAddress: started.temporal.address,
  temporalUiUrl: started.temporal.uiUrl,
  registryUrl: started.registry?.url ?? settings.registryUrl,
  receiverUrl: started.receiver.url,
  ownerDatabaseUrl: started.database.ownerUrl,
  // The beginning of each line for a shell in the project's folder.
  leadctl: leadctlLine(settings.dataDir),
  temporalCli: started.temporal.cli,
  settings: sharedSettings(env),
  startCommand: startCommand(settings.env),
});

const baseUrlOf = ({ api }: Ports) => `http://127.0.0.1:${api}/v2`;

function leadctlLine(dataDir: string): string {
  const isDefault = dataDir === path.resolve(DEFAULT_DATA_DIR);
  return isDefault ? './leadctl' : `DATA_DIR=${shellWord(dataDir)} ./leadctl`;
}

export function temporalLine(binary: string, address: string, namespace: string): string {
  const ofNamespace = namespace === 'default' ? '' : `TEMPORAL_NAMESPACE=${shellWord(namespace)} `;
  return `TEMPORAL_ADDRESS=${address} ${ofNamespace}${shellWord(binary)}`;
}

export const publishAddresses = (dataDir: string, addresses: Addresses) =>
  writePrivate(addressFile(dataDir), `${JSON.stringify(addresses, null, 2)}\n`);

/** Null if no stack runs on the folder. */
export function readAddresses(dataDir: string): Addresses | null {
  try {
    return JSON.parse(readFileSync(addressFile(dataDir), 'utf8')) as Addresses;
  } catch {
    return null;
  }
}

export const withdrawAddresses = (dataDir: string) => rmSync(addressFile(dataDir), { force: true });

const EXAMPLE_LEAD = {
  leadFirstName: 'Layla',
  leadLastName: 'Haddad',
  leadPhones: ['+971501234567'],
  leadEmails: ['layla@example.com'],
  source: 'Website',
  areaOfInterest: 'Dubai Marina',
  initialInquiry: 'Two bedrooms with a sea view, please.',
};

export function formatReadyMessage(at: Addresses, dataDir: string): string {
  const lines = {
    API: at.baseUrl,
    'health and metrics': `${at.opsUrl}/readyz  ${at.opsUrl}/metrics`,
    'Temporal Web UI': at.temporalUiUrl,
    Temporal: at.temporalAddress,
    'webhooks received': at.receiverUrl,
    'DNCR registry': at.registryUrl,
    Postgres: at.databaseUrl,
    client: `${at.clientId}  ${at.clientSecret}`,
    'data and logs': dataDir,
    'for operators': `${at.leadctl} status`,
    'Temporal’s command': at.temporalCli && `${at.temporalCli} workflow list`,
  };
  const where = Object.entries(lines).filter(([, address]) => address);
  const text = where.map(([name, address]) => `  ${name.padEnd(20)}${address}`);
  return ['', 'Ready.', ...text, '', firstRequest(at)].join('\n');
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
