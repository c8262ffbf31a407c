import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcDeadlineError, type Client } from '@temporalio/client';
import pTimeout from 'p-timeout';
import { isRecord } from '../domain/canonical-json.ts';
import { startOfDay } from '../domain/routing/local-time.ts';
import type { Config } from '../platform/config.ts';
import { errorCode } from '../platform/errors.ts';
import { holderOf } from '../platform/process-mark.ts';
import { startupReason } from '../platform/startup-error.ts';
import { connectDatabase, isReadOnly } from '../store/db/database.ts';
import { readWorkFigures, type WorkFigures } from '../store/leads/work-states.ts';
import { connectTemporal } from '../temporal/connection.ts';
import { readAbandonedVersions, readPollingWorkers } from '../temporal/worker-versions.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';
import {
  commandsOf,
  findProblems,
  stoppedProblem,
  versionText,
  type Part,
  type Problem,
  type Status,
} from './status/problems.ts';
import { count, distanceText, durationText, fieldLines, figure, timeText } from './text.ts';

export const statusCommand: CommandGroup = (program, run) => {
  program
    .command('status')
    .description('Show whether the service runs, its queues, and how to fix each problem')
    .option('--watch', 'Repeat every 5 seconds until Ctrl-C', false)
    .action(run(showStatus, { worksStopped: true }));
};

const EVERY_MS = 5000;
/** Slower parts count as unreachable. An API allows its own database 2.5 s. */
const LIMIT_MS = 3000;
const CLEAR_SCREEN = '\u001b[H\u001b[J';

/** The exit code if there are problems. */
const HAS_PROBLEMS = 2;

async function showStatus(operator: Operator, { watch }: { watch: boolean }) {
  const { config, stack } = operator;
  for (;;) {
    const at = operator.now();
    const pid = stack && holderOf(path.join(stack.folder, 'lock'));
    if (stack?.isUp === false) {
      const problems = [stoppedProblem(stack, pid)];
      operator.show({ at, ...STOPPED, ...NO_WORK, problems }, () => problemsText(problems));
      return assertNone(problems);
    }
    const status = await readStatus(config, at);
    if (watch && process.stdout.isTTY) process.stdout.write(CLEAR_SCREEN);
    const problems = findProblems(status, commandsOf(stack, pid));
    operator.show(statusJson(status, problems), () => statusText(status, problems));
    if (!watch) return assertNone(problems);
    await sleep(EVERY_MS);
  }
}

function assertNone({ length }: readonly Problem[]): void {
  if (length > 0) throw new OperatorError(`${count(length, 'problem')} found.`, HAS_PROBLEMS);
}

const DOWN = { ok: false };
const STOPPED = { api: DOWN, worker: DOWN, temporal: DOWN, postgres: DOWN };
const NO_WORK = { leads: null, outbox: null, webhooks: null, enquiries: null };

async function readStatus(config: Config, at: Date): Promise<Status> {
  const { opsUrls, temporal: target, database } = config;
  const { client, close } = await connectTemporal(target);
  const [api, workerPage, runs, data] = await Promise.all([
    answerOf(readReadiness(opsUrls.api)),
    opsUrls.worker === null ? null : answerOf(readReadiness(opsUrls.worker)),
    answerOf(readRuns(client, at)),
    answerOf(readWork(config, at)),
  ]).finally(close);
  const { current = null, polling = [], withoutWorker = [], ...temporal } = runs;
  const { isReadOnly = false, work = null, ...postgres } = data;
  const { address, namespace } = target;
  const { host } = new URL(database.url);
  const isPolled = polling.some(({ isCurrent }) => isCurrent);
  const worker = workerPage && { address: opsUrls.worker ?? '', ...workerPage };
  return {
    at,
    api: { ok: isReady(api), address: opsUrls.api, ...api },
    worker: { ok: isPolled && (!worker || isReady(worker)), ...worker, polling, withoutWorker },
    temporal: { ok: !temporal.reason, address, namespace, ...temporal },
    postgres: { ok: !postgres.reason && !isReadOnly, isReadOnly, address: host, ...postgres },
    current,
    work,
  };
}

type Page = Pick<Part, 'readiness'>;

const isReady = ({ readiness }: Page) => readiness?.['ready'] === true;

async function answerOf<Answer extends object>(
  answer: Promise<Answer>,
): Promise<Partial<Answer> & { reason?: string }> {
  try {
    return await pTimeout(answer, { milliseconds: LIMIT_MS });
  } catch (error) {
    return { reason: reasonOf(error) } as Partial<Answer> & { reason: string };
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (error instanceof OperatorError) return message;
  if (name === 'TimeoutError' || isGrpcDeadlineError(error))
    return `No response within ${LIMIT_MS / 1000} s.`;
  if (error instanceof TypeError) return `The connection failed: ${errorCode(cause) || message}.`;
  return startupReason(error) ?? 'The connection failed.';
}

async function readReadiness(url: string): Promise<Page> {
  const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(LIMIT_MS) });
  const page: unknown = await response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
  if (isRecord(page) && typeof page.ready === 'boolean')
    return { readiness: page as Record<string, boolean> };
  throw new OperatorError(`HTTP ${response.status} without the results of health checks.`);
}

async function readRuns(client: Client, now: Date) {
  const read = () => Promise.all([readPollingWorkers(client, now), readAbandonedVersions(client)]);
  const [workers, withoutWorker] = await client.withDeadline(Date.now() + LIMIT_MS, read);
  return { ...workers, withoutWorker };
}

async function readWork({ database: { url }, companyTimeZone }: Config, now: Date) {
  const limits = { connectTimeoutMs: LIMIT_MS, queryTimeoutMs: LIMIT_MS };
  // Postgres may have few connections left.
  const database = await connectDatabase({ url, poolSize: 1, ...limits });
  const today = startOfDay(now, companyTimeZone) ?? now;
  // A transaction sends its statements together, which is faster if Postgres is far away.
  const read = database.transaction((sql) =>
    Promise.all([isReadOnly(sql), readWorkFigures(sql, today)]),
  );
  const [readOnly, work] = await read.finally(() => void database.close());
  return { isReadOnly: readOnly, work };
}

const statusJson = ({ current: _, work, ...parts }: Status, problems: readonly Problem[]) => ({
  ...parts,
  ...(work ?? NO_WORK),
  problems,
});

function statusText(status: Status, problems: readonly Problem[]): string {
  const { at, api, worker, temporal, postgres, work } = status;
  const lines = fieldLines([
    ['API', partText(api)],
    ['worker', worker.reason === undefined ? workersText(status) : partText(worker)],
    ['Temporal', partText(temporal)],
    ['Postgres', partText(postgres)],
    ...(work ? workFields(work) : []),
  ]);
  return [timeText(at), lines, '', problemsText(problems)].join('\n');
}

function problemsText(problems: readonly Problem[]): string {
  return (
    problems.map(({ what, command }) => `${what}\n    ${command}`).join('\n') || 'No problems.'
  );
}

const partText = ({ ok, address, reason }: Partial<Part>) =>
  reason === undefined ? `${ok ? 'ok' : 'not ready'}, ${address}` : `${address}: ${reason}`;

function workersText({ at, worker: { polling } }: Status): string {
  const versions = polling.map(({ version, workers, lastPollAt }) => {
    const lastPoll = `last poll ${distanceText(lastPollAt, at)}`;
    return `${count(workers, 'worker')}, ${versionText(version)}, ${lastPoll}`;
  });
  return versions.join('; ') || 'unknown';
}

function workFields({ leads, outbox, webhooks, enquiries }: WorkFigures): [string, string][] {
  const [oldest, lag] = [leads.oldestPendingSeconds, outbox.lagSeconds].map(durationText);
  const [now, before] = [enquiries.lastHour, enquiries.sameHourLastWeek].map(figure);
  return [
    ['pending', `${count(leads.pending, 'lead')}, oldest ${oldest}`],
    ['waiting', `${count(leads.waiting, 'lead')} for an agent, ${figure(leads.pool)} in a pool`],
    ['unassigned', `${count(leads.unassignedToday, 'lead')} today`],
    ['outbox', `${count(outbox.rows, 'event')}, oldest ${lag}`],
    ['endpoints', `${figure(webhooks.failing)} failing`],
    ['enquiries', `${now} in the last hour, ${before} in the same hour a week ago`],
  ];
}
