import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { makeFolder } from '../../platform/make-folder.ts';
import {
  allOf,
  countEvents,
  countRuns,
  fetchHistory,
  isTemporary,
  listRuns,
  openSince,
  queryRefusal,
  sampleRuns,
  SERVICE_QUERY,
  type WorkflowRun,
} from '../../temporal/workflow-runs.ts';
import { readAgentNames } from '../../store/routing/agents.ts';
import type { Since } from '../arguments.ts';
import { createProgressBar } from '../progress-bar.ts';
import { fileError, writeTextFile } from '../files.ts';
import { OperatorError, connectToTemporal, type Operator } from '../operator.ts';
import { tableOf } from '../table.ts';
import { count, figure } from '../text.ts';
import { cleanHistory, historyText, type HistoryJson } from './clean-history.ts';

const CONCURRENT_RUNS = 8;

export interface RunsOptions {
  query?: string;
  since?: Since;
  sample?: number;
}

/** Resumes an interrupted command: skips the histories that are in the folder. */
export async function saveRuns(operator: Operator, folder: string, options: RunsOptions) {
  const client = await connectToTemporal(operator);
  const write = await createHistoryWriter(operator);
  const groups = new Map<string, SavedRuns>();
  let done = 0;
  const progress = createProgressBar(operator.isJson);
  try {
    const { runs, total } = await findRuns(operator, client, options);
    await prepareFolder(folder);
    const save = async (run: WorkflowRun) => {
      const { type } = run;
      const state = stateOf(run);
      const outcome = await saveRun(client, folder, run, write);
      const group = groups.get(`${type} ${state}`) ?? { type, state, saved: 0, there: 0, gone: 0 };
      groups.set(`${type} ${state}`, { ...group, [outcome]: group[outcome] + 1 });
      progress.onProgress('histories', (done += 1), total);
    };
    await Readable.from(runs).forEach(save, { concurrency: CONCURRENT_RUNS });
  } catch (error) {
    const refusal = queryRefusal(error);
    if (refusal !== null) throw new OperatorError(refusal);
    if (!isTemporary(error)) throw error;
    const gone = `Temporal at ${operator.config.temporal.address} does not answer any more.`;
    throw new OperatorError(`${gone} The same command goes on from there.`);
  } finally {
    progress.stop();
  }
  const runs = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, group]) => group);
  operator.show({ folder, runs }, savedRunsText);
}

async function findRuns({ now, config }: Operator, client: Client, options: RunsOptions) {
  const { query = SERVICE_QUERY, since, sample } = options;
  const all = since ? allOf(query, openSince(since(now(), config.companyTimeZone))) : query;
  if (sample === undefined)
    return { runs: listRuns(client, all), total: await countRuns(client, all) };
  const runs = await sampleRuns(client, all, sample);
  return { runs, total: runs.length };
}

interface SavedRuns {
  type: string;
  state: string;
  saved: number;
  /** Runs with no new events. */
  there: number;
  /** Runs whose retention time has ended meanwhile. */
  gone: number;
}

async function saveRun(
  client: Client,
  folder: string,
  run: WorkflowRun,
  write: WriteHistory,
): Promise<'saved' | 'there' | 'gone'> {
  const isOpen = run.status === 'Running';
  const file = runFile(folder, run, stateOf(run));
  const isThere = existsSync(file) && (!isOpen || (await isUpToDate(client, file, run)));
  const fetched = isThere ? null : await fetchHistory(client, run);
  if (fetched) await write(file, fetched);
  if (!isOpen && (fetched || isThere)) await rm(runFile(folder, run, 'running'), { force: true });
  return fetched ? 'saved' : isThere ? 'there' : 'gone';
}

async function isUpToDate(client: Client, file: string, run: WorkflowRun): Promise<boolean> {
  const { events } = JSON.parse(await readFile(file, 'utf8')) as HistoryJson;
  return events.length >= ((await countEvents(client, run)) ?? 0);
}

/** Such as `continued-as-new`. */
const stateOf = ({ status }: WorkflowRun) =>
  status.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** Such as `LeadLifecycle.completed.lead_<id>.<run id>.json`. */
function runFile(folder: string, { type, workflowId, runId }: WorkflowRun, state: string): string {
  const safe = (id: string) => id.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 90);
  return path.join(folder, `${safe(type)}.${state}.${safe(workflowId)}.${runId}.json`);
}

/** Removes the unfinished files of a command that was killed. */
async function prepareFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    for (const name of await readdir(folder))
      if (/\.json\.[\da-f-]{36}\.part$/.test(name)) await rm(path.join(folder, name));
  } catch (error) {
    throw fileError(folder, 'written', error);
  }
}

type WriteHistory = Awaited<ReturnType<typeof createHistoryWriter>>;

export async function createHistoryWriter(operator: Operator) {
  const agents = await readAgentNames(await operator.database());
  const agentIds = new Map(agents.map(({ slug, id }) => [slug, id]));
  return async (file: string, fetched: History): Promise<number> => {
    const history = cleanHistory(fetched, agentIds);
    await writeTextFile(file, historyText(history));
    return history.events.length;
  };
}

const rowsText = tableOf<SavedRuns>(
  {
    'workflow type': 'type',
    state: 'state',
    saved: ({ saved }) => figure(saved),
    'there already': ({ there }) => figure(there),
    gone: ({ gone }) => figure(gone),
  },
  'No run matches the query.',
);

function savedRunsText({ folder, runs }: { folder: string; runs: readonly SavedRuns[] }) {
  const saved = runs.reduce((sum, each) => sum + each.saved, 0);
  return [rowsText(runs), `${count(saved, 'run')} saved in ${folder}.`].join('\n');
}
