import { glob, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { errorCode } from '../../platform/errors.ts';
import { UnreadableHistory } from './history.ts';
import type { Histories, HistorySource } from './replay-histories.ts';
import {
  countRuns,
  fetchHistory,
  listRuns,
  sampleRuns,
  SERVICE_QUERY,
  type WorkflowRun,
} from '../../temporal/workflow-runs.ts';
import { parseConfig, withoutEmpty } from '../../platform/config.ts';
import { refusalReason } from '../../platform/startup-error.ts';
import { withoutTemporalServer, type Variables } from '../../platform/temporal/variables.ts';
import {
  connectTemporal,
  isTemporalReachable,
  type TemporalClient,
} from '../../temporal/connection.ts';
import { readAddresses } from '../stack/addresses.ts';
import { DEFAULT_DATA_DIR } from '../stack/data-folder.ts';

/** The files named, and every `.json` file of the folders named. */
export async function savedHistories(paths: readonly string[]): Promise<Histories> {
  const histories: HistorySource[] = [];
  for await (const name of findFiles(paths)) histories.push({ name, read: () => readText(name) });
  return { count: histories.length, histories };
}

async function* findFiles(paths: readonly string[]): AsyncGenerator<string> {
  for (const given of paths) {
    if (!(await isFolder(given))) yield given;
    else for await (const found of glob('**/*.json', { cwd: given })) yield path.join(given, found);
  }
}

async function isFolder(given: string): Promise<boolean> {
  const found = await stat(given).catch(({ errno }: NodeJS.ErrnoException) => {
    throw new Error(`${given} cannot be read: ${getSystemErrorMessage(errno ?? 0)}.`);
  });
  return found.isDirectory();
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new UnreadableHistory(`cannot be read: ${errorCode(error)}`);
  });
}

export interface LiveChoice {
  /** A query of Temporal's visibility. Defaults to every run of the service. */
  query?: string | undefined;
  /** How many of the newest runs of each workflow type and state. Defaults to all. */
  sample?: number | undefined;
}

/** Runs of a server, each of which is fetched when its turn comes. */
export async function liveHistories(
  client: Client,
  { query = SERVICE_QUERY, sample }: LiveChoice,
): Promise<Histories> {
  const toSource = (run: WorkflowRun): HistorySource => ({
    name: `${run.workflowId} ${run.runId}`,
    async read() {
      const history = await fetchHistory(client, run);
      return history && historyToJSON(history);
    },
  });
  if (sample !== undefined) {
    const runs = await sampleRuns(client, query, sample);
    return { count: runs.length, histories: runs.map(toSource) };
  }
  async function* all() {
    for await (const run of listRuns(client, query)) yield toSource(run);
  }
  return { count: await countRuns(client, query), histories: all() };
}

/** The part of the service's configuration that a client of Temporal does not need. */
const NOT_NEEDED = { DATABASE_URL: 'postgres:', SECRETS_KEY: '0'.repeat(64) };
const CONNECT_MS = 30_000;

/** Connects to the Temporal server of the service; where none is named, to that of the stack in DATA_DIR. */
export async function connectToServer(variables: Variables): Promise<TemporalClient> {
  const given = withoutEmpty(variables);
  const isNamed = given.TEMPORAL_ADDRESS ?? given.TEMPORAL_CONFIG_FILE ?? given.TEMPORAL_PROFILE;
  const { temporal } = parseConfig({
    ...NOT_NEEDED,
    ...(isNamed ? given : withRunningStack(given)),
  });
  const connected = await connectTemporal(temporal);
  try {
    await isTemporalReachable(connected.client, CONNECT_MS);
  } catch (error) {
    await connected.close();
    const reason = refusalReason(error) ?? (error as Error).message;
    throw new Error(`Temporal cannot be reached at ${temporal.address}: ${reason}`);
  }
  return connected;
}

function withRunningStack(given: Variables): Variables {
  const stack = readAddresses(given.DATA_DIR ?? DEFAULT_DATA_DIR);
  if (!stack) return given;
  const { temporalAddress, temporalUiUrl, settings } = stack;
  const ofShell = temporalUiUrl ? withoutTemporalServer(given) : given;
  return { ...settings, ...ofShell, TEMPORAL_ADDRESS: temporalAddress };
}
