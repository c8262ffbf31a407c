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
  const history = program.command('history').description('Save workflow histories for replay');
  history
    .command('save')
    .description(
      'Save the history of a lead’s run, or of many runs. Removes hosts, processes and slugs of agents.',
    )
    .usage(
      'LEAD FILE [--run RUN_ID]\n       leadctl history save DIR [--query QUERY] [--since AGE] [--sample N]',
    )
    .argument('<lead>', 'the lead of the run; for many runs the folder')
    .argument('[file]', 'the file for the run of the lead')
    .option('--run <runId>', 'Save this run of the lead instead of the newest')
    .option('--query <query>', 'Only runs that match this visibility query')
    .option(
      '--since <age>',
      'Only runs that were open since then: 2d, 12h, 2026-11-01T08:00',
      since,
    )
    .option('--sample <n>', 'Only the newest runs of each workflow type and state', atLeastOne)
    .action(run(saveHistory));
};

type Options = RunsOptions & { run?: string };

const SHORT_ID = /^[\da-f]{8}$/i;

async function saveHistory(
  operator: Operator,
  first: string,
  file: string | undefined,
  { run, ...choice }: Options,
): Promise<void> {
  const isLead = run !== undefined || isUuid(first) || SHORT_ID.test(first);
  const isOfMany = Object.keys(choice).length > 0;
  if (file === undefined ? isLead : isOfMany)
    throw new OperatorError([
      'One run: leadctl history save LEAD FILE [--run RUN_ID]',
      'Many runs: leadctl history save DIR [--query QUERY] [--since AGE] [--sample N]',
      'Write ./ before a folder whose name looks like the id of a lead.',
    ]);
  await (file === undefined
    ? saveRuns(operator, first, choice)
    : saveLead(operator, first, file, run));
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
