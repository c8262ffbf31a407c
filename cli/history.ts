import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { readAgentNames } from '../store/routing/agents.ts';
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
} from '../temporal/workflow-runs.ts';
import { atLeastOne, since, type Since } from './arguments.ts';
import { fileError, writeTextFile } from './files.ts';
import { cleanHistory, historyText, type HistoryJson } from './history/clean-history.ts';
import { connectToTemporal, OperatorError, type CommandGroup, type Operator } from './operator.ts';
import { createProgressBar } from './progress-bar.ts';
import { tableOf } from './table.ts';
import { count } from './text.ts';

export const historyCommands: CommandGroup = (program, run) => {
  const history = program.command('history').description('Save workflow histories for replay');
  history
    .command('save')
    .description('Save workflow histories without hosts, processes and slugs of agents')
    .argument('<dir>', 'the folder to save into')
    .option('--query <query>', 'Only runs that match this visibility query')
    .option(
      '--since <age>',
      'Only runs that were open since then: 2d, 12h, 2026-11-01T08:00',
      since,
    )
    .option('--sample <n>', 'Only the newest runs of each workflow type and state', atLeastOne)
    .action(run(saveHistories));
};

interface Choice {
  query?: string;
  since?: Since;
  sample?: number;
}

const CONCURRENT_RUNS = 8;

/** Resumes an interrupted command: skips the histories that are in the folder. */
async function saveHistories(operator: Operator, folder: string, options: Choice) {
  const client = await connectToTemporal(operator);
  const write = await createHistoryWriter(operator);
  const groups = new Map<string, SavedRuns>();
  let done = 0;
  const progress = createProgressBar(operator.isJson);
  try {
    const { runs, total } = await findRuns(operator, client, options);
    await prepareFolder(folder);
    const save = async (run: WorkflowRun) => {
      const [type, state] = [run.type, stateOf(run)];
      const outcome = await saveRun(client, folder, run, write);
      const group = groups.get(`${type} ${state}`) ?? { type, state, saved: 0, there: 0, gone: 0 };
      groups.set(`${type} ${state}`, { ...group, [outcome]: group[outcome] + 1 });
      progress.onProgress('histories', (done += 1), total);
    };
    await Readable.from(runs).forEach(save, { concurrency: CONCURRENT_RUNS });
  } catch (error) {
    const { address } = operator.config.temporal;
    const lost = `Temporal at ${address} stopped responding. Run the same command again to continue.`;
    const reason = queryRefusal(error) ?? (isTemporary(error) ? lost : null);
    throw reason === null ? error : new OperatorError(reason);
  } finally {
    progress.stop();
  }
  const runs = [...groups].sort().map(([, group]) => group);
  operator.show({ folder, runs }, savedRunsText);
}

async function findRuns({ now, config }: Operator, client: Client, options: Choice) {
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
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder))
      if (/\.json\.[\da-f-]{36}\.part$/.test(name)) await rm(path.join(folder, name));
  } catch (error) {
    throw fileError(folder, 'written', error);
  }
}

type WriteHistory = Awaited<ReturnType<typeof createHistoryWriter>>;

async function createHistoryWriter(operator: Operator) {
  const agents = await readAgentNames(await operator.database());
  const agentIds = new Map(agents.map(({ slug, id }) => [slug, id]));
  return (file: string, fetched: History) =>
    writeTextFile(file, historyText(cleanHistory(fetched, agentIds)));
}

const rowsText = tableOf<SavedRuns>(
  {
    'workflow type': 'type',
    state: 'state',
    saved: 'saved',
    'there already': 'there',
    gone: 'gone',
  },
  'No run matches the query.',
);

function savedRunsText({ folder, runs }: { folder: string; runs: readonly SavedRuns[] }) {
  const saved = runs.reduce((sum, each) => sum + each.saved, 0);
  return [rowsText(runs), `${count(saved, 'run')} saved in ${folder}.`].join('\n');
}
