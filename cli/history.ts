import { status } from '@grpc/grpc-js';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { isUuid } from '../domain/uuid.ts';
import { hasGrpcStatus } from '../temporal/connection.ts';
import { leadRun } from '../temporal/lead-lifecycle-client.ts';
import { createHistoryWriter, saveRuns, type RunsOptions } from './history/save-runs.ts';
import { findLead } from './lead/find.ts';
import { atLeastOne, since } from './arguments.ts';
import { OperatorError, withTemporal, type CommandGroup, type Operator } from './operator.ts';
import { count } from './text.ts';

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

const FORMS =
  'One run: leadctl history save LEAD FILE [--run RUN_ID]; many: leadctl history save DIR [--query QUERY] [--since AGE] [--sample N].';

const wrongForm = (text: string) => new OperatorError(`${text} ${FORMS}`);

const SHORT_ID = /^[\da-f]{8}$/i;

async function saveHistory(
  operator: Operator,
  first: string | undefined,
  file: string | undefined,
  { run, ...choice }: Options,
): Promise<void> {
  if (first === undefined) throw wrongForm('Say where to.');
  if (file !== undefined && Object.keys(choice).length > 0)
    throw wrongForm('--query, --since and --sample are of many runs, not of a lead.');
  if (file !== undefined) return saveLead(operator, first, file, run);
  if (run !== undefined) throw wrongForm('--run is of one lead.');
  if (isUuid(first) || SHORT_ID.test(first))
    throw wrongForm(`Say where to write this lead’s run; a folder of this name is ./${first}.`);
  return saveRuns(operator, first, choice);
}

const DEADLINE_MS = 30_000;

async function saveLead(operator: Operator, lead: string, file: string, run?: string) {
  const leadId = isUuid(lead) ? lead.toLowerCase() : await findLead(operator, lead);
  const write = await createHistoryWriter(operator);
  const { runId, history } = await withTemporal(operator, DEADLINE_MS, (client) =>
    fetchRun(client, leadId, run),
  );
  const saved = { leadId, runId, events: await write(file, history), file };
  operator.show(
    saved,
    (shown) => `${count(shown.events, 'event')} of run ${shown.runId} saved in ${shown.file}.`,
  );
}

async function fetchRun(client: Client, leadId: string, run: string | undefined) {
  try {
    const { runId } = await leadRun(client, leadId, run).describe();
    return { runId, history: await leadRun(client, leadId, runId).fetchHistory() };
  } catch (error) {
    const isNoRunId = hasGrpcStatus(error, [status.INVALID_ARGUMENT]);
    if (!(error instanceof WorkflowNotFoundError) && !isNoRunId) throw error;
    const which = run ? `no run ${run} of the workflow` : 'no workflow';
    throw new OperatorError(
      `There is ${which} of lead ${leadId}; histories are kept for the namespace’s retention time.`,
    );
  }
}
