import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { status as grpcStatus } from '@grpc/grpc-js';
import { isGrpcDeadlineError, type Client } from '@temporalio/client';
import pTimeout from 'p-timeout';
import { isRecord } from '../domain/canonical-json.ts';
import { startOfDay } from '../domain/routing/local-time.ts';
import type { Config } from '../platform/config.ts';
import { errorCode } from '../platform/errors.ts';
import { holderOf } from '../platform/process-mark.ts';
import { refusalReason, startupReason } from '../platform/startup-error.ts';
import { connectDatabase, isReadOnly } from '../store/db/database.ts';
import { readWorkFigures, type WorkFigures } from '../store/leads/work-states.ts';
import { connectTemporal, hasGrpcStatus } from '../temporal/connection.ts';
import { readAbandonedVersions, readPollingWorkers } from '../temporal/worker-versions.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';
import type { Stack } from './stack.ts';
import {
  commandsOf,
  findProblems,
  stoppedProblem,
  versionText,
  type Part,
  type Problem,
  type Status,
} from './status/problems.ts';
import { count, durationText, fieldLines, figure, timeText, writeFor } from './text.ts';

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
  const reader = { timeZone: config.companyTimeZone, width: Infinity };
  for (;;) {
    const status = await readStatus(config, stack, operator.now());
    if (watch && process.stdout.isTTY) process.stdout.write(CLEAR_SCREEN);
    const pid = stack && holderOf(path.join(stack.folder, 'lock'));
    const problems = writeFor(reader, () =>
      stack?.isUp === false
        ? [stoppedProblem(stack, pid)]
        : findProblems(status, commandsOf(stack, pid)),
    );
    operator.show(statusJson(status, problems), () => statusText(status, problems));
    // The next start of a stopped stack may have other addresses.
    if (watch && stack?.isUp !== false) await sleep(EVERY_MS);
    else if (problems.length === 0) return;
    else throw new OperatorError(`${count(problems.length, 'problem')} found.`, HAS_PROBLEMS);
  }
}

async function readStatus(config: Config, stack: Stack | null, at: Date): Promise<Status> {
  const { opsUrls, temporal: target, database } = config;
  const ask = <Answer extends object>(read: () => Promise<Answer>) =>
    answerOf(stack?.isUp === false ? refuse : read);
  const { client, close } = await connectTemporal(target);
  const [api, workerPage, runs, data] = await Promise.all([
    ask(() => readReadiness(opsUrls.api)),
    opsUrls.worker === null ? null : ask(() => readReadiness(opsUrls.worker ?? '')),
    ask(() => readRuns(client, at)),
    ask(() => readWork(config, at)),
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

/** Another program may have the addresses of a stopped stack by now. */
async function refuse(): Promise<never> {
  throw new OperatorError('Its stack does not run.');
}

async function answerOf<Answer extends object>(
  read: () => Promise<Answer>,
): Promise<Partial<Answer> & { reason?: string }> {
  try {
    return await pTimeout(read(), { milliseconds: LIMIT_MS });
  } catch (error) {
    return { reason: reasonOf(error) } as Partial<Answer> & { reason: string };
  }
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Partial<Error>;
  if (error instanceof OperatorError) return error.message;
  if (name === 'TimeoutError' || isGrpcDeadlineError(error))
    return `It gave no answer within ${LIMIT_MS / 1000} s.`;
  if (error instanceof TypeError && cause instanceof Error)
    return `The connection failed: ${errorCode(cause) || cause.message}.`;
  const isUnavailable = hasGrpcStatus(error, [grpcStatus.UNAVAILABLE]);
  return (isUnavailable ? refusalReason(error) : startupReason(error)) ?? 'It cannot be reached.';
}

async function readReadiness(url: string): Promise<Page> {
  const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(LIMIT_MS) });
  const page: unknown = await response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
  if (isRecord(page) && typeof page.ready === 'boolean')
    return { readiness: page as Record<string, boolean> };
  throw new OperatorError(`It answered with status ${response.status}, but not with its checks.`);
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

const NO_WORK = { leads: null, outbox: null, webhooks: null, enquiries: null };

const statusJson = ({ current: _, work, ...parts }: Status, problems: readonly Problem[]) => ({
  ...parts,
  ...(work ?? NO_WORK),
  problems,
});

function statusText(status: Status, problems: readonly Problem[]): string {
  const { at, api, worker, temporal, postgres, work } = status;
  const lines = fieldLines([
    ['API', partText(api)],
    ['worker', worker.reason === undefined ? pollingText(status) : partText(worker)],
    ['Temporal', partText(temporal)],
    ['Postgres', postgres.isReadOnly ? `is read-only, ${postgres.address}` : partText(postgres)],
    ...(work ? workFields(work) : []),
  ]);
  const found = problems.flatMap(({ what, command }) => [`- ${what}`, `    ${command}`]);
  const verdict = found.length > 0 ? 'What is wrong:' : 'Nothing is wrong.';
  return [timeText(at), lines, '', verdict, ...found].join('\n');
}

function partText({ ok, address, reason }: Partial<Part>): string {
  if (reason !== undefined) return `is away, ${address}: ${reason}`;
  return ok === false ? `answers but is not ready, ${address}` : `answers, ${address}`;
}

function pollingText({ at, worker, temporal }: Status): string {
  if (!temporal.ok) return worker.address ? partText(worker) : 'not known: Temporal does not tell';
  if (worker.polling.length === 0) return 'none polls';
  const versions = worker.polling.map(({ version, workers, isCurrent, lastPollAt }) => {
    const seconds = Math.max(0, (at.getTime() - lastPollAt.getTime()) / 1000);
    const current = isCurrent ? '' : ', not current';
    const of = version ? `of ${versionText(version)}` : '(no versioning)';
    return `${count(workers, 'worker')} ${of}${current}, last poll ${durationText(seconds)} ago`;
  });
  return versions.join('; ');
}

function workFields({ leads, outbox, webhooks, enquiries }: WorkFigures): [string, string][] {
  const pendingFor = `, the oldest for ${durationText(leads.oldestPendingSeconds)}`;
  const lag = `, the oldest ${durationText(outbox.lagSeconds)} old`;
  const failing = webhooks.failingEndpoints.map(({ url }) => url).join(', ');
  const [now, before] = [enquiries.lastHour, enquiries.sameHourLastWeek].map(figure);
  return [
    [
      'pending',
      `${count(leads.pending, 'lead')} without a decision${leads.pending ? pendingFor : ''}`,
    ],
    ['waiting', `${count(leads.waiting, 'lead')} for an agent, ${figure(leads.pool)} in a pool`],
    ['unassigned', `${count(leads.unassignedToday, 'lead')} today`],
    ['outbox', `${count(outbox.rows, 'event')}${outbox.rows ? lag : ''}`],
    ['endpoints', failing ? `failing: ${failing}` : 'none fails'],
    ['enquiries', `${now} in the last hour, ${before} in the same hour a week ago`],
  ];
}
