import type { Client } from '@temporalio/client';
import {
  allOf,
  countRuns,
  isTemporary,
  listRuns,
  openSince,
  queryRefusal,
  sampleRuns,
  SERVICE_QUERY,
  type WorkflowRun,
} from '../../temporal/workflow-runs.ts';
import type { Since } from '../arguments.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { createProgressBar } from '../progress-bar.ts';
import { count } from '../text.ts';
import { createSavedRunsTally, savedRunsText } from '../views/history.ts';
import { connectToTemporal } from '../with-temporal.ts';
import { createPreparation, refusalText, type Refusal } from './prepare-history.ts';
import { prepareFolder } from './run-files.ts';
import { createRunSaver } from './save-run.ts';

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
    throw toOperatorError(error, operator.config.temporal.address);
  } finally {
    progress.stop();
  }
  operator.show({ folder, runs: tally.rows(), refused }, savedRunsText);
  if (refused.length > 0) throw new OperatorError(refusedLines(refused));
}

async function findRuns(
  { now, config }: Operator,
  client: Client,
  { query, since, sample }: RunsOptions,
) {
  const chosen = query ?? SERVICE_QUERY;
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

function toOperatorError(error: unknown, address: string): unknown {
  const refusal = queryRefusal(error);
  if (refusal !== null) return new OperatorError(refusal);
  if (!isTemporary(error)) return error;
  const goesOn = 'The same command goes on from there.';
  return new OperatorError(`Temporal at ${address} does not answer any more. ${goesOn}`);
}
