import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import type { Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import type * as workflows from '../workflows/index.ts';
import { hasGrpcStatus } from './connection.ts';

/** For visibility queries, in the order of the API, which begins at 1. */
const STATUSES = [
  'Running',
  'Completed',
  'Failed',
  'Canceled',
  'Terminated',
  'ContinuedAsNew',
  'TimedOut',
] as const;
type Status = (typeof STATUSES)[number];

export interface WorkflowRun {
  type: string;
  status: Status;
  workflowId: string;
  runId: string;
}

const WORKFLOW_TYPES = Object.keys({
  LeadLifecycle: true,
  DncrCheck: true,
  Housekeeping: true,
  WebhookTest: true,
} satisfies Record<keyof typeof workflows, true>);

export const SERVICE_QUERY = `WorkflowType IN (${WORKFLOW_TYPES.map((type) => `'${type}'`).join(', ')})`;

export const openSince = (time: Date) =>
  `ExecutionStatus = 'Running' OR CloseTime >= '${time.toISOString()}'`;

export const allOf = (...queries: readonly string[]) =>
  queries.map((query) => `(${query})`).join(' AND ');

export async function countRuns(client: Client, query: string): Promise<number> {
  return (await withRetries(client, () => client.workflow.count(query))).count;
}

const PAGE_SIZE = 1000;

export async function* listRuns(client: Client, query: string): AsyncGenerator<WorkflowRun> {
  const { namespace } = client.options;
  let nextPageToken: Uint8Array | null | undefined;
  do {
    const request = { namespace, query, pageSize: PAGE_SIZE, nextPageToken };
    const page = await withRetries(client, () =>
      client.workflowService.listWorkflowExecutions(request),
    );
    for (const { type, status, execution } of page.executions) {
      yield {
        type: type?.name ?? '',
        status: STATUSES[(status ?? 0) - 1] ?? 'Running',
        workflowId: execution?.workflowId ?? '',
        runId: execution?.runId ?? '',
      };
    }
    ({ nextPageToken } = page);
  } while (nextPageToken?.length);
}

export async function sampleRuns(client: Client, query: string, size: number) {
  const samples: WorkflowRun[] = [];
  for (const status of STATUSES) {
    const ofStatus = allOf(query, `ExecutionStatus = '${status}'`);
    samples.push(...(await sampleTypes(client, ofStatus, size)));
  }
  return samples;
}

/** Excludes a type once it has enough runs, so that rare types are found without listing all runs. */
async function sampleTypes(client: Client, query: string, size: number) {
  const byType = new Map<string, Map<string, WorkflowRun>>();
  const isComplete = (type: string) => byType.get(type)?.size === size;
  async function completeOneType(): Promise<boolean> {
    const complete = [...byType.keys()].filter(isComplete);
    const others = complete.map((type) => `WorkflowType != '${type.replaceAll("'", "''")}'`);
    for await (const run of listRuns(client, allOf(query, ...others))) {
      const runs = byType.get(run.type) ?? new Map<string, WorkflowRun>();
      byType.set(run.type, runs.set(run.runId, run));
      if (isComplete(run.type)) return true;
    }
    return false;
  }
  while (await completeOneType());
  return [...byType.values()].flatMap((runs) => [...runs.values()]);
}

type RunId = Pick<WorkflowRun, 'workflowId' | 'runId'>;

/** Null if the retention time of the run is over. */
export function fetchHistory(
  client: Client,
  { workflowId, runId }: RunId,
): Promise<History | null> {
  const handle = client.workflow.getHandle(workflowId, runId);
  return orNull(withRetries(client, () => handle.fetchHistory()));
}

export async function countEvents(client: Client, { workflowId, runId }: RunId) {
  const handle = client.workflow.getHandle(workflowId, runId);
  const run = await orNull(withRetries(client, () => handle.describe()));
  return run?.historyLength ?? null;
}

function orNull<T>(found: Promise<T>): Promise<T | null> {
  return found.catch((error: unknown) => {
    if (hasGrpcStatus(error, [status.NOT_FOUND])) return null;
    throw error;
  });
}

export function queryRefusal(error: unknown): string | null {
  if (!hasGrpcStatus(error, [status.INVALID_ARGUMENT])) return null;
  const { cause, details } = error as { cause?: { details?: string }; details?: string };
  return `Temporal does not accept the query: ${details ?? cause?.details ?? ''}.`;
}

const CALL_DEADLINE_MS = 30_000;
const WAITS_MS = [250, 1000, 4000, 15_000];

export function isTemporary(error: unknown): boolean {
  const { UNAVAILABLE, RESOURCE_EXHAUSTED, DEADLINE_EXCEEDED } = status;
  return hasGrpcStatus(error, [UNAVAILABLE, RESOURCE_EXHAUSTED, DEADLINE_EXCEEDED]);
}

/** Among thousands of calls, some exceed the server's rate limits. */
async function withRetries<T>(client: Client, call: () => Promise<T>): Promise<T> {
  const attempt = () => client.withDeadline(Date.now() + CALL_DEADLINE_MS, call);
  for (const waitMs of WAITS_MS) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await sleep(waitMs);
    }
  }
  return attempt();
}
