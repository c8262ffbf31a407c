import process from 'node:process';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { queryRefusal } from '../temporal/workflow-runs.ts';
import { npmCommand, runMain, wholeNumber } from './flags.ts';
import { startProgressBar } from './progress-bar.ts';
import { replayHistories, type HistorySource, type Outcome } from './replay/replay-histories.ts';
import {
  connectToServer,
  liveHistories,
  savedHistories,
  type LiveChoice,
} from './replay/sources.ts';
import { tableText } from '../cli/table.ts';

interface Options extends LiveChoice {
  live?: true;
}

const command = npmCommand('replay')
  .description(
    'Replays histories on the present workflows and prints which fail, each with the first event that differs.',
  )
  .argument('[path...]', 'a file, or a folder of which every .json file is read')
  .option('--live', 'runs of the Temporal server, with the connection settings of the service')
  .option(
    '--query <query>',
    'those that this visibility query finds (default: all of the service)',
    (text) => text.trim() || undefined,
  )
  .option('--sample <n>', 'so many of each workflow type and state, the newest', wholeNumber(1))
  .addHelpText('after', '\nExit code: 0 all passed, 1 some failed or nothing was replayed.');

async function main(): Promise<number> {
  const { args: paths } = command.parse();
  const { live = false, ...choice } = command.opts<Options>();
  if (live === paths.length > 0) command.error('Name a PATH, or say --live.');
  if (live) return replayLive(choice);
  if (Object.keys(choice).length > 0) command.error('--query and --sample belong to --live.');
  return replay(await savedHistories(paths));
}

async function replayLive(choice: LiveChoice): Promise<number> {
  // eslint-disable-next-line no-restricted-properties -- an entry point
  const { client, close } = await connectToServer(process.env);
  try {
    return await replay(await liveHistories(client, choice));
  } finally {
    await close();
  }
}

async function replay(histories: readonly HistorySource[]): Promise<number> {
  if (histories.length === 0) throw new Error('There is no history to replay.');
  const logger = new DefaultLogger('ERROR', () => undefined);
  const telemetryOptions = { logging: { filter: 'OFF' } };
  Runtime.install({ logger, telemetryOptions, shutdownSignals: [] });
  const outcomes: Outcome[] = [];
  const bar = startProgressBar('Replaying', histories.length);
  const onOutcome = (outcome: Outcome) => bar.update(outcomes.push(outcome));
  await replayHistories(histories, onOutcome).finally(() => bar.stop());
  if (outcomes.length === 0) throw new Error('Every run was gone when its turn came.');
  console.log(formatOutcomes(outcomes));
  return outcomes.some(({ difference }) => difference) ? 1 : 0;
}

const HEAD = ['WORKFLOW', 'RESULT', 'RUNS', 'EVENT', 'HISTORY', 'CODE', 'EXAMPLE'];

/** Counts the passed runs of a workflow type in one row, and runs that fail in the same way in another. */
export function formatOutcomes(outcomes: readonly Outcome[]): string {
  const groups = Map.groupBy(outcomes, ({ type, difference }) =>
    JSON.stringify([type ?? '', difference?.history, difference?.code]),
  );
  const sorted = [...groups].toSorted(([a], [b]) => a.localeCompare(b));
  return tableText(
    HEAD,
    sorted.map(([, runs]) => rowOf(runs)),
  );
}

function rowOf(runs: readonly Outcome[]) {
  const [{ name, type, difference } = {} as Outcome] = runs;
  if (!difference) return [type, 'passed', runs.length, null, null, null, null];
  const { eventId, history, code } = difference;
  return [type, 'failed', runs.length, eventId, history, code, name];
}

/** The server's message is in the details or the cause. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause, details } = error as Error & { details?: string };
  const withCause = cause ? `${message}: ${describeError(cause)}` : message;
  return queryRefusal(error) ?? details ?? withCause;
}

if (import.meta.main) await runMain(main, describeError);
