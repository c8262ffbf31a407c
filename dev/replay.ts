import process from 'node:process';
import { Presets, SingleBar } from 'cli-progress';
import { queryRefusal } from '../temporal/workflow-runs.ts';
import { npmCommand, runMain, wholeNumber } from './flags.ts';
import {
  savedHistories,
  connectToServer,
  type LiveChoice,
  liveHistories,
} from './replay/sources.ts';
import { type Histories, replayHistories } from './replay/replay-histories.ts';
import { createReport } from './replay/report.ts';

interface Options extends LiveChoice {
  live?: true;
}

const command = npmCommand('replay')
  .description(
    'Replays histories on the workflows as they are, and prints in which ways they fail, each with the event and ' +
      'the line of the code, and a table of the workflow types.',
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

/** The longest that a timer can wait. */
const DEBUG_LIMIT_MS = 2 ** 31 - 1;

async function replay(found: Histories): Promise<number> {
  if (found.count === 0) throw new Error('There is no history to replay.');
  const report = createReport();
  const bar = startBar(found.count);
  const onOutcome: typeof report.add = (outcome) => {
    report.add(outcome);
    bar.update(report.total.runs, { failed: report.total.failed });
  };
  // eslint-disable-next-line no-restricted-properties -- the SDK reads it in the same way
  const limitMs = process.env['TEMPORAL_DEBUG'] ? DEBUG_LIMIT_MS : undefined; // for breakpoints
  await replayHistories(found, { onOutcome, limitMs }).finally(() => bar.stop());
  console.log(report.format());
  if (report.total.runs === 0) throw new Error('Every run was gone when its turn came.');
  return report.total.failed > 0 ? 1 : 0;
}

/** On standard error; in a log a line now and then. */
function startBar(count: number): SingleBar {
  const bar = new SingleBar(
    {
      format: 'Replaying {bar} {value}/{total}, {failed} failed, {duration_formatted}',
      stream: process.stderr,
      noTTYOutput: true,
      notTTYSchedule: 15_000,
    },
    Presets.shades_classic,
  );
  bar.start(count, 0, { failed: 0 });
  return bar;
}

/** The client's errors leave to their cause what the server said. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const refusal = queryRefusal(error);
  if (refusal !== null) return refusal;
  return error.cause ? `${error.message}: ${describeError(error.cause)}` : error.message;
}

if (import.meta.main) await runMain(main, describeError);
