import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import type { Client } from '@temporalio/client';
import { historyToJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import { errorCode } from '../../platform/errors.ts';
import { UnreadableHistory } from './read-history.ts';
import type { HistorySource } from './replay-histories.ts';
import { fetchHistory, listRuns, sampleRuns, SERVICE_QUERY } from '../../temporal/workflow-runs.ts';
import { parseConfig, withoutEmpty } from '../../platform/config.ts';
import { refusalReason } from '../../platform/startup-error.ts';
import { withoutTemporalServer, type Variables } from '../../platform/temporal-settings.ts';
import {
  connectTemporal,
  isTemporalReachable,
  type TemporalClient,
} from '../../temporal/connection.ts';
import { readAddresses } from '../stack/addresses.ts';
import { DEFAULT_DATA_DIR } from '../stack/data-folder.ts';

export async function savedHistories(paths: readonly string[]): Promise<HistorySource[]> {
  const files = await Promise.all(paths.map(filesAt));
  return files.flat().map((name) => ({ name, read: () => readText(name) }));
}

async function filesAt(given: string): Promise<string[]> {
  const found = await stat(given).catch(({ errno }: NodeJS.ErrnoException) => {
    throw new Error(`${given} cannot be read: ${getSystemErrorMessage(errno ?? 0)}.`);
  });
  if (!found.isDirectory()) return [given];
  const names = await readdir(given, { recursive: true });
  return names.filter((name) => name.endsWith('.json')).map((name) => path.join(given, name));
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new UnreadableHistory(`cannot be read: ${errorCode(error)}`);
  });
}

export interface LiveChoice {
  query?: string | undefined;
  sample?: number | undefined;
}

export async function liveHistories(
  client: Client,
  { query = SERVICE_QUERY, sample }: LiveChoice,
): Promise<HistorySource[]> {
  const found: HistorySource[] = [];
  const runs = sample ? await sampleRuns(client, query, sample) : listRuns(client, query);
  for await (const run of runs) {
    const name = `${run.workflowId} ${run.runId}`;
    found.push({ name, read: () => fetchHistory(client, run).then(toJson) });
  }
  return found;
}

const toJson = (history: History | null) => history && historyToJSON(history);

/** Temporal clients do not need these settings. */
const NOT_NEEDED = { DATABASE_URL: 'postgres:', SECRETS_KEY: '0'.repeat(64) };
const CONNECT_MS = 30_000;

/** Without TEMPORAL_ADDRESS, connects to the stack in DATA_DIR. */
export async function connectToServer(variables: Variables): Promise<TemporalClient> {
  const given = withoutEmpty(variables);
  const isNamed = given.TEMPORAL_ADDRESS ?? given.TEMPORAL_CONFIG_FILE ?? given.TEMPORAL_PROFILE;
  const { temporal } = parseConfig({
    ...NOT_NEEDED,
    ...(isNamed ? given : withRunningStack(given)),
  });
  const connected = await connectTemporal(temporal);
  await isTemporalReachable(connected.client, CONNECT_MS).catch(async (error: Error) => {
    await connected.close();
    const reason = refusalReason(error) ?? error.message;
    throw new Error(`Temporal cannot be reached at ${temporal.address}: ${reason}`);
  });
  return connected;
}

function withRunningStack(given: Variables): Variables {
  const stack = readAddresses(given.DATA_DIR ?? DEFAULT_DATA_DIR);
  if (!stack) return given;
  const { temporalAddress, temporalUiUrl, settings } = stack;
  const ofShell = temporalUiUrl ? withoutTemporalServer(given) : given;
  return { ...settings, ...ofShell, TEMPORAL_ADDRESS: temporalAddress };
}
