import process from 'node:process';
import { parseArgs } from 'node:util';
import { Presets, SingleBar } from 'cli-progress';
import { z } from 'zod';
import { queryRefusal } from '../temporal/workflow-runs.ts';
import { flagMessages, wholeNumber } from './flags.ts';
import { savedHistories, connectToServer, liveHistories } from './replay/sources.ts';
import { type Histories, replayHistories } from './replay/replay-histories.ts';
import { createReport } from './replay/report.ts';

const USAGE = `npm run replay -- PATH...
npm run replay -- --live [--query QUERY] [--sample N]

Replays histories on the workflows as they are, and prints in which ways they fail, each with the event and the
line of the code, and a table of the workflow types.

  PATH               a file, or a folder of which every .json file is read
  --live             runs of the Temporal server, with the connection settings of the service
  --query QUERY      those that this visibility query finds (default: all of the service)
  --sample N         so many of each workflow type and state, the newest
  --processes N      how many run at once (default: one for each processor)
  --help

Exit code: 0 all passed, 1 some failed or nothing was replayed.`;

const schema = z
  .object({
    paths: z.array(z.string()),
    live: z.boolean(),
    query: z.string().trim().min(1).optional(),
    sample: wholeNumber.pipe(z.number().min(1)).optional(),
    processes: wholeNumber.pipe(z.number().min(1).max(256)).optional(),
  })
  .refine(({ paths, live }) => paths.length > 0 !== live, 'Name a PATH, or say --live.')
  .refine(
    ({ live, query, sample }) => live || (query === undefined && sample === undefined),
    '--query and --sample belong to --live.',
  );

type Options = z.infer<typeof schema>;

/** Null where only help is asked for; throws what is wrong with the words. */
export function readOptions(words: readonly string[]): Options | null {
  const { values, positionals: paths } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      live: { type: 'boolean', default: false },
      query: { type: 'string' },
      sample: { type: 'string' },
      processes: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const parsed = schema.safeParse({ ...values, paths });
  if (!parsed.success) throw new Error(`${flagMessages(parsed.error)}\n\n${USAGE}`);
  return parsed.data;
}

const ALL_PASSED = 0;
/** Some histories, or all that was asked for: nothing was replayed. */
const FAILED = 1;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options)
    return options.live
      ? replayLive(options)
      : replay(await savedHistories(options.paths), options);
  console.log(USAGE);
  return ALL_PASSED;
}

async function replayLive(options: Options): Promise<number> {
  // eslint-disable-next-line no-restricted-properties -- an entry point
  const { client, close } = await connectToServer(process.env);
  try {
    return await replay(await liveHistories(client, options), options);
  } finally {
    await close();
  }
}

/** The longest that a timer can wait. */
const DEBUG_LIMIT_MS = 2 ** 31 - 1;

async function replay(found: Histories, { processes }: Options): Promise<number> {
  if (found.count === 0) throw new Error('There is no history to replay.');
  const report = createReport();
  const bar = startBar(found.count);
  const onOutcome: typeof report.add = (outcome) => {
    report.add(outcome);
    bar.update(report.total.runs, { failed: report.total.failed });
  };
  // eslint-disable-next-line no-restricted-properties -- the SDK reads it in the same way
  const limitMs = process.env['TEMPORAL_DEBUG'] ? DEBUG_LIMIT_MS : undefined; // for breakpoints
  await replayHistories(found, { onOutcome, processes, limitMs }).finally(() => bar.stop());
  console.log(report.format());
  if (report.total.runs === 0) throw new Error('Every run was gone when its turn came.');
  return report.total.failed > 0 ? FAILED : ALL_PASSED;
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

if (import.meta.main) {
  // The reader of the output has closed it, as `head` does.
  process.stdout.on('error', () => process.exit(FAILED));
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(describeError(error));
    process.exitCode = FAILED;
  }
}
