import { writeFile } from 'node:fs/promises';
import { status } from '@grpc/grpc-js';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { readAgentIdsBySlug } from '../store/routing/agents.ts';
import { hasGrpcStatus } from '../temporal/connection.ts';
import { leadRun } from '../temporal/lead-lifecycle-client.ts';
import { parseUuid } from './arguments.ts';
import { fileError, writeAtomically } from './files.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';
import { count } from './text.ts';
import { withTemporal } from './with-temporal.ts';

export const historyCommands: CommandGroup = (program, run) => {
  const history = program.command('history').description('Histories of workflows, for replay.');
  history
    .command('save')
    .description('Save the history of a lead’s workflow as the replay tests read it.')
    .argument('<lead>', 'the lead’s id')
    .argument('<file>', 'where to write it')
    .option('--run <runId>', 'another run than the newest')
    .action(run(saveHistory));
};

const DEADLINE_MS = 30_000;

async function saveHistory(
  operator: Operator,
  lead: string,
  file: string,
  { run }: { run?: string },
) {
  const leadId = parseUuid(lead, 'a lead');
  const ids = await readAgentIdsBySlug(await operator.database());
  const { runId, events, json } = await withTemporal(operator, DEADLINE_MS, (client) =>
    fetchRun(client, leadId, run),
  );
  await writeAtomically(file, (path) =>
    writeFile(path, `${replaceAgentSlugs(json, ids)}\n`).catch((error: unknown) => {
      throw fileError(file, 'written', error);
    }),
  );
  operator.show(
    { leadId, runId, events, file },
    (shown) => `${count(events, 'event')} of run ${runId} saved in ${shown.file}.`,
  );
}

async function fetchRun(client: Client, leadId: string, run: string | undefined) {
  try {
    const { runId } = await leadRun(client, leadId, run).describe();
    const history = await leadRun(client, leadId, runId).fetchHistory();
    return { runId, events: history.events?.length ?? 0, json: historyToJSON(history) };
  } catch (error) {
    const isNoRunId = hasGrpcStatus(error, [status.INVALID_ARGUMENT]);
    if (!(error instanceof WorkflowNotFoundError) && !isNoRunId) throw error;
    const which = run ? `no run ${run} of the workflow` : 'no workflow';
    throw new OperatorError(
      `There is ${which} of lead ${leadId}; histories are kept for the namespace’s retention time.`,
    );
  }
}

/** Ids of agents by their slugs. */
type AgentIds = ReadonlyMap<string, string>;

/**
 * Replaces the slugs of agents, which contain names of persons, by their ids. A replay compares neither
 * results of activities nor values of search attributes, so the history replays the same.
 */
function replaceAgentSlugs(json: string, ids: AgentIds): string {
  const replacePayload = (key: string, value: unknown) => {
    const { data } = Object(value) as { data?: unknown };
    if (typeof data !== 'string') return value;
    const text = Buffer.from(data, 'base64').toString('utf8');
    const replaced = replaceInPayload(text, ids, key === 'Agent');
    return { ...(value as object), data: Buffer.from(replaced).toString('base64') };
  };
  return JSON.stringify(JSON.parse(json, replacePayload), null, 2);
}

function replaceInPayload(text: string, ids: AgentIds, isSearchAttribute: boolean): string {
  const replaceSlug = (key: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    const isSlug = key === 'agentSlug' || (key === '' && isSearchAttribute);
    return isSlug ? (ids.get(value) ?? value) : replaceInReason(value, ids);
  };
  try {
    return JSON.stringify(JSON.parse(text, replaceSlug));
  } catch {
    return text; // a payload that is not JSON
  }
}

/** Reasons of decisions name agents as `agent sara-haddad`. */
function replaceInReason(line: string, ids: AgentIds): string {
  return line.replaceAll(/\bagent ([\p{L}\p{N}-]+)/gu, (all, slug: string) =>
    ids.has(slug) ? `agent ${ids.get(slug)}` : all,
  );
}
