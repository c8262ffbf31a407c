import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@temporalio/client';
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
import type { Since } from '../arguments.ts';
import { createProgressBar } from '../progress-bar.ts';
import { fileError, writeTextFile } from '../files.ts';
import { OperatorError, connectToTemporal, type Operator } from '../operator.ts';
import { tableOf } from '../table.ts';
import { count, figure } from '../text.ts';
import { historyText, type HistoryJson } from './clean-history.ts';
import {
  createPreparation,
  kindsIn,
  refusalText,
  type Preparation,
  type Refusal,
} from './personal-data.ts';

/** Histories in memory at once. */
const AT_ONCE = 8;
const MOST_LINES = 20;

export interface RunsOptions {
  query?: string;
  since?: Since;
  sample?: number;
}

/** Killed and run again it goes on: what is in the folder is not fetched again. */
export async function saveRuns(operator: Operator, folder: string, options: RunsOptions) {
  const client = await connectToTemporal(operator);
  const prepare = await createPreparation(await operator.database());
  const save = createRunSaver(client, folder, prepare);
  const tally = createSavedRunsTally();
  const refused: Refusal[] = [];
  const progress = createProgressBar(operator.isJson);
  try {
    const { runs, total } = await findRuns(operator, client, options);
    await prepareFolder(folder);
    await inLanes(runs, async (run) => {
      const saved = await save(run);
      if (saved.refusal) refused.push(saved.refusal);
      progress.onProgress('histories', tally.add(saved), total);
    });
  } catch (error) {
    const refusal = queryRefusal(error);
    if (refusal !== null) throw new OperatorError(refusal);
    if (!isTemporary(error)) throw error;
    const gone = `Temporal at ${operator.config.temporal.address} does not answer any more.`;
    throw new OperatorError(`${gone} The same command goes on from there.`);
  } finally {
    progress.stop();
  }
  operator.show({ folder, runs: tally.rows(), refused }, savedRunsText);
  if (refused.length > 0) throw new OperatorError(refusedLines(refused));
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

/** The first error ends all lanes, each after the run that it is at. */
async function inLanes(
  runs: Iterable<WorkflowRun> | AsyncIterable<WorkflowRun>,
  work: (run: WorkflowRun) => Promise<void>,
): Promise<void> {
  const shared = (async function* () {
    yield* runs;
  })();
  const lane = async () => {
    for await (const run of shared) await work(run);
  };
  const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
  const failed = lanes.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

function refusedLines(refused: readonly Refusal[]): string[] {
  const lines = refused.slice(0, MOST_LINES).map(refusalText);
  const more = refused.length - lines.length;
  return more > 0 ? [...lines, `${count(more, 'other')} not written: --json lists all.`] : lines;
}

/** `there`: the file is as it would be written; `gone`: the run's retention time ended meanwhile. */
const NONE = { saved: 0, there: 0, refused: 0, gone: 0 };

interface SavedRun {
  type: string;
  state: string;
  outcome: keyof typeof NONE;
  refusal?: Refusal;
}

function createRunSaver(client: Client, folder: string, prepare: Preparation) {
  const fileOf = (run: WorkflowRun, state: string) => path.join(folder, runFileName(run, state));

  async function isThere(run: WorkflowRun): Promise<boolean> {
    const file = fileOf(run, stateOf(run));
    if (run.status !== 'Running') return existsSync(file);
    const saved = await readSaved(file);
    return saved !== null && saved.events.length >= ((await countEvents(client, run)) ?? 0);
  }

  async function saveRun(run: WorkflowRun): Promise<Omit<SavedRun, 'type'>> {
    if (await isThere(run)) return { state: stateOf(run), outcome: 'there' };
    const fetched = await fetchHistory(client, run);
    if (fetched === null) return { state: stateOf(run), outcome: 'gone' };
    const { history, findings } = await prepare(run.workflowId, fetched);
    const state = stateAtEnd(history);
    const file = fileOf(run, state);
    if (findings.length > 0) return { state, outcome: 'refused', refusal: { file, findings } };
    await writeHistory(file, history);
    return { state, outcome: 'saved' };
  }

  return async (run: WorkflowRun): Promise<SavedRun> => {
    const result = await saveRun(run);
    const isInFile = result.outcome === 'saved' || result.outcome === 'there';
    // What an earlier command saved of it while it was open.
    if (isInFile && result.state !== 'running') await rm(fileOf(run, 'running'), { force: true });
    return { type: run.type, ...result };
  };
}

/** The files of saved runs: `LeadLifecycle.completed.lead_<id>.<run id>.json`. */

const CLOSED =
  /^EVENT_TYPE_WORKFLOW_EXECUTION_(COMPLETED|FAILED|CANCELED|TERMINATED|CONTINUED_AS_NEW|TIMED_OUT)$/;

/** `running`, or how the run ended; visibility learns of that later than the history. */
function stateAtEnd({ events }: HistoryJson): string {
  const [, ending = 'running'] = CLOSED.exec(events.at(-1)?.eventType ?? '') ?? [];
  return ending.toLowerCase().replaceAll('_', '-');
}

/** As in the files' names: `continued-as-new` */
const stateOf = ({ status }: WorkflowRun) =>
  status.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** The run's id makes it unique, so the other parts may be changed to fit into a name. */
function runFileName({ type, workflowId, runId }: WorkflowRun, state: string): string {
  return `${[nameSafe(type), state, nameSafe(workflowId), runId].join('.')}.json`;
}

const MOST_CHARACTERS = 90;

/** Somebody else's workflow may be named after a person. */
function nameSafe(id: string): string {
  if (kindsIn(id).length > 0) return 'withheld';
  return id.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MOST_CHARACTERS);
}

/** Makes the folder and removes what a run of the command that was killed had not finished. */
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

/** Null: there is no such file, or it is none that this command wrote. */
async function readSaved(file: string): Promise<HistoryJson | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as HistoryJson;
  } catch {
    return null;
  }
}

export const writeHistory = (file: string, history: HistoryJson) =>
  writeTextFile(file, historyText(history));

/** How many runs of a workflow type ended in a state, by what became of them. */
type SavedRuns = Pick<SavedRun, 'type' | 'state'> & typeof NONE;

function createSavedRunsTally() {
  const byGroup = new Map<string, SavedRuns>();
  let total = 0;
  return {
    /** Returns how many there are by now. */
    add({ type, state, outcome }: SavedRun): number {
      const group = `${type} ${state}`;
      const runs = byGroup.get(group) ?? { type, state, ...NONE };
      runs[outcome] += 1;
      byGroup.set(group, runs);
      return (total += 1);
    },
    rows: () => [...byGroup.keys()].sort().flatMap((group) => byGroup.get(group) ?? []),
  };
}

const rowsText = tableOf<SavedRuns>(
  {
    'workflow type': 'type',
    state: 'state',
    saved: ({ saved }) => figure(saved),
    'there already': ({ there }) => figure(there),
    refused: ({ refused }) => figure(refused),
    gone: ({ gone }) => figure(gone),
  },
  { none: 'No run matches the query.' },
);

function savedRunsText({ folder, runs }: { folder: string; runs: readonly SavedRuns[] }) {
  const saved = runs.reduce((sum, each) => sum + each.saved, 0);
  return [rowsText(runs), `${count(saved, 'run')} saved in ${folder}.`].join('\n');
}
