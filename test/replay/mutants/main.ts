import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Presets, SingleBar } from 'cli-progress';
import PQueue from 'p-queue';
import { transformed } from '../bundle/transform-source.ts';
import { replayErrors } from '../replaying.ts';
import { savedHistories, type SavedHistory } from '../saved-histories.ts';
import { mutate, readMutants, type Mutant } from './mutants.ts';
import { formatReport, isAsDocumented, type Verdict } from './report.ts';

const AT_ONCE = 2;

const workflowsPath = fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url));
const folder = path.dirname(workflowsPath);

/**
 * `npm run mutants [-- WORDS]` replays the saved histories on each mutant of the workflows, or on those that hold
 * these words, and prints for each line of docs/replay.md how many the histories catch.
 */
async function main(words: string): Promise<void> {
  const histories = await savedHistories();
  const mutants = (await readMutants()).filter(({ file, change, text, becomes }) =>
    [file, change, text, becomes].some((each) => each.includes(words)),
  );
  if (mutants.length === 0) throw new Error(`No mutant holds ${JSON.stringify(words)}.`);
  const bar = new SingleBar({ format: '{bar} {value} of {total}' }, Presets.shades_classic);
  bar.start(mutants.length, 0);
  const queue = new PQueue({ concurrency: AT_ONCE });
  const verdicts = await queue.addAll(
    mutants.map((mutant) => async () => {
      const error = await firstError(mutant, histories);
      bar.increment();
      return { mutant, error };
    }),
  );
  bar.stop();
  process.stdout.write(formatReport(verdicts));
  process.exitCode = isAsDocumented(verdicts) ? 0 : 1;
}

/** The error of the first history that does not replay on the mutant, with its name. */
async function firstError(mutant: Mutant, histories: SavedHistory[]): Promise<Verdict['error']> {
  const isItsFile = (file: string) => path.relative(folder, file) === mutant.file;
  const bundle = transformed(folder, (file, source) =>
    isItsFile(file) ? mutate(mutant, source) : source,
  );
  const names = histories.values();
  for await (const error of replayErrors({ workflowsPath, ...bundle }, histories)) {
    const { scenario = '' } = names.next().value ?? {};
    if (error) return { scenario, text: error.message };
  }
  return null;
}

await main(process.argv[2] ?? '');
