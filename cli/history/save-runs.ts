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

const AT_ONCE = 8;

export interface RunsOptions {
  query?: string;
  since?: Since;
  sample?: number;
}

/** If it was stopped, it continues: what is in the folder is not fetched again. */
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
      const outcome = await saveRun(client, folder, run, write);
      const [type, state] = [run.type, stateOf(run)];
      const group = groups.get(`${type} ${state}`) ?? { type, state, ...NONE };
      group[outcome] += 1;
      groups.set(`${type} ${state}`, group);
      progress.onProgress('histories', (done += 1), total);
    };
    await Readable.from(runs).forEach(save, { concurrency: AT_ONCE });
  } catch (error) {
    const refusal = queryRefusal(error);
    if (refusal !== null) throw new OperatorError(refusal);
    if (!isTemporary(error)) throw error;
    const gone = `Temporal at ${operator.config.temporal.address} does not answer any more.`;
    throw new OperatorError(`${gone} The same command goes on from there.`);
  } finally {
    progress.stop();
  }
  const runs = [...groups.keys()].sort().flatMap((key) => groups.get(key) ?? []);
  operator.show({ folder, runs }, savedRunsText);
}

async function findRuns({ now, config }: Operator, client: Client, options: RunsOptions) {
  const { since, sample } = options;
  const chosen = options.query ?? SERVICE_QUERY;
  const all = since ? allOf(chosen, openSince(since(now(), config.companyTimeZone))) : chosen;
  if (sample === undefined)
    return { runs: listRuns(client, all), total: await countRuns(client, all) };
  const runs = await sampleRuns(client, all, sample);
  return { runs, total: runs.length };
}

/** `there`: nothing has happened in the run since; `gone`: its retention time ended meanwhile. */
const NONE = { saved: 0, there: 0, gone: 0 };

type SavedRuns = Pick<WorkflowRun, 'type'> & { state: string } & typeof NONE;

async function saveRun(
  client: Client,
  folder: string,
  run: WorkflowRun,
  write: WriteHistory,
): Promise<keyof typeof NONE> {
  const isOpen = run.status === 'Running';
  const file = runFile(folder, run, stateOf(run));
  const isThere = existsSync(file) && (!isOpen || (await isUpToDate(client, file, run)));
  const fetched = isThere ? null : await fetchHistory(client, run);
  if (fetched) await write(file, fetched);
  // What an earlier command saved of it while it was open.
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

const MOST_CHARACTERS = 90;

/** Such as `LeadLifecycle.completed.lead_<id>.<run id>.json`: the run id makes the name unique. */
function runFile(folder: string, { type, workflowId, runId }: WorkflowRun, state: string): string {
  const safe = (id: string) => id.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MOST_CHARACTERS);
  return path.join(folder, `${safe(type)}.${state}.${safe(workflowId)}.${runId}.json`);
}

/** Creates the folder and removes the unfinished files of a command that was killed. */
async function prepareFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    for (const name of await readdir(folder))
      if (/\.json\.[\da-f-]{36}\.part$/.test(name))
        await rm(path.join(folder, name), { force: true });
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
