import { isUuid } from '../domain/uuid.ts';
import { atLeastOne, since } from './arguments.ts';
import { saveLead } from './history/save-lead.ts';
import { saveRuns, type RunsOptions } from './history/save-runs.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';

export const historyCommands: CommandGroup = (program, run) => {
  const history = program.command('history').description('Histories of workflows, for replay.');
  history
    .command('save')
    .description(
      'Save the history of a lead’s run, or of many runs of any workflow, as the replay reads them: without hosts, processes and names of agents.',
    )
    .usage(
      'LEAD FILE [--run RUN_ID]\n       leadctl history save DIR [--query QUERY] [--since AGE] [--sample N]',
    )
    .argument(
      '[lead]',
      'the lead’s id, or what else names just one lead; without it runs of all leads and workflows',
    )
    .argument('[file]', 'where to write it; for many runs a folder')
    .option('--run <runId>', 'another run of the lead than the newest')
    .option(
      '--query <query>',
      'runs that this visibility query finds; without it all of the service',
    )
    .option('--since <age>', 'runs that were open since then: 2d, 12h, 2026-11-01T08:00', since)
    .option('--sample <n>', 'so many of each workflow type and state, the newest', atLeastOne)
    .action(run(saveHistory));
};

type Options = RunsOptions & { run?: string };

async function saveHistory(
  operator: Operator,
  first: string | undefined,
  second: string | undefined,
  { run, ...choice }: Options,
): Promise<void> {
  const isChoice = Object.keys(choice).length > 0;
  if (first === undefined) throw new OperatorError(`Say where to. ${FORMS}`);
  if (second === undefined) {
    if (run !== undefined) throw new OperatorError(`--run is of one lead. ${FORMS}`);
    if (isUuid(first) || SHORT_ID.test(first))
      throw new OperatorError(
        `Say where to write this lead’s run; a folder of this name is ./${first}. ${FORMS}`,
      );
    return saveRuns(operator, first, choice);
  }
  if (isChoice)
    throw new OperatorError(
      `--query, --since and --sample are of many runs, not of a lead. ${FORMS}`,
    );
  return saveLead(operator, first, second, run);
}

/** The first eight characters of a lead’s id. */
const SHORT_ID = /^[\da-f]{8}$/i;

const FORMS =
  'One run: leadctl history save LEAD FILE [--run RUN_ID]; many: leadctl history save DIR [--query QUERY] [--since AGE] [--sample N].';
