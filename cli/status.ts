import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcDeadlineError, type Client } from '@temporalio/client';
import pTimeout, { TimeoutError } from 'p-timeout';
import { startOfDay } from '../domain/routing/local-time.ts';
import type { Config } from '../platform/config.ts';
import { errorCode } from '../platform/errors.ts';
import { holderOf } from '../platform/process-mark.ts';
import { refusalReason, startupReason } from '../platform/startup-error.ts';
import { connectDatabase, isReadOnly } from '../store/db/database.ts';
import { readWorkFigures, type WorkFigures } from '../store/leads/work-states.ts';
import { connectTemporal, isTemporalReachable } from '../temporal/connection.ts';
import { readAbandonedVersions, readPollingWorkers } from '../temporal/worker-versions.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';
import type { Stack } from './stack.ts';
import {
  ALONE,
  commandsOfStack,
  findProblems,
  stoppedProblem,
  versionText,
  type Asked,
  type Problem,
  type Readiness,
  type Readings,
} from './status/problems.ts';
import { count, durationText, fieldLines, figure, timeText, writeFor } from './text.ts';

export const statusCommand: CommandGroup = (program, run) => {
  program
    .command('status')
    .description(
      'Whether API, worker, Temporal and Postgres run, what waits and fails, and the command that helps.',
    )
    .option('--watch', 'again every five seconds, until Ctrl-C', false)
    .action(run(showStatus, { worksStopped: true }));
};

const EVERY_MS = 5000;
/** What takes longer counts as away. An API gives its own database 2.5 s. */
const LIMIT_MS = 3000;
/** Puts the cursor into the upper left corner, and clears what is below it. */
const CLEAR = '\u001b[H\u001b[J';

async function showStatus(operator: Operator, { watch }: { watch: boolean }) {
  for (;;) {
    const isStopped = operator.stack?.isUp === false;
    const readings = await takeReadings(operator, isStopped);
    if (watch && process.stdout.isTTY) process.stdout.write(CLEAR);
    const reader = { timeZone: operator.config.companyTimeZone, width: Infinity };
    const problems = writeFor(reader, () => problemsOf(readings, operator.stack));
    operator.show(statusJson(readings, problems), () => statusText(readings, problems));
    // The addresses of its next start may be others.
    if (!watch || isStopped) return assertAllWell(problems.length);
    await sleep(EVERY_MS);
  }
}

function problemsOf(readings: Readings, stack: Stack | null) {
  if (!stack) return findProblems(readings, ALONE);
  const pid = holderOf(path.join(stack.folder, 'lock'));
  if (!stack.isUp) return [stoppedProblem(stack, pid)];
  return findProblems(readings, commandsOfStack(stack, pid));
}

/** The exit code for scripts where something needs somebody; 1 is that of a command that fails. */
const NEEDS_SOMEBODY = 2;

function assertAllWell(problems: number): void {
  if (problems === 0) return;
  throw new OperatorError(`${count(problems, 'problem')} found.`, NEEDS_SOMEBODY);
}

async function takeReadings({ config, now }: Operator, isStopped: boolean): Promise<Readings> {
  const at = now();
  const answers = isStopped ? NOBODY_ASKED : await askParts(config, at);
  const { api, worker } = config.opsUrls;
  const { address, namespace } = config.temporal;
  return {
    at,
    api: { address: api, ...answers.api },
    worker: worker === null ? null : { address: worker, ...answers.worker },
    temporal: { address, namespace, ...answers.temporal },
    runs: answers.runs,
    postgres: { address: new URL(config.database.url).host, ...answers.postgres },
  };
}

const AWAY = { state: 'away', reason: 'Its stack does not run.' } as const;
/** Another program may have the addresses of a stopped stack by now. */
const NOBODY_ASKED = { api: AWAY, worker: AWAY, temporal: AWAY, runs: AWAY, postgres: AWAY };

/** Each part is asked by itself, since any of them may be away. */
async function askParts(config: Config, at: Date) {
  const { api: apiUrl, worker: workerUrl } = config.opsUrls;
  const { client, close } = await connectTemporal(config.temporal);
  const readRunsInTime = () =>
    client.withDeadline(Date.now() + LIMIT_MS, () => readRuns(client, at));
  const [api, worker, temporal, runs, postgres] = await Promise.all([
    ask(() => readReadiness(apiUrl), connectReason),
    workerUrl === null ? AWAY : ask(() => readReadiness(workerUrl), connectReason),
    ask(() => isTemporalReachable(client, LIMIT_MS).then(() => ({})), refusalReason),
    ask(readRunsInTime, startupReason),
    ask(() => readWork(config, at), startupReason),
  ]);
  await close();
  return { api, worker, temporal, runs, postgres };
}

async function ask<Answer extends object>(
  work: () => Promise<Answer>,
  reasonOf: (error: unknown) => string | undefined,
): Promise<Asked<Answer>> {
  try {
    return { state: 'answers', ...(await pTimeout(work(), { milliseconds: LIMIT_MS })) };
  } catch (error) {
    if (isTimeout(error))
      return { state: 'away', reason: `It gave no answer within ${LIMIT_MS / 1000} s.` };
    return { state: 'away', reason: reasonOf(error) ?? 'It cannot be reached.' };
  }
}

const isTimeout = (error: unknown) =>
  error instanceof TimeoutError ||
  (error as Partial<Error>).name === 'TimeoutError' ||
  isGrpcDeadlineError(error);

function connectReason(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  const code = errorCode(error);
  return code ? `The connection failed: ${code}.` : undefined;
}

async function readReadiness(url: string): Promise<{ readiness: Readiness }> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    return { readiness: await fetchReadiness(new URL('/readyz', url), signal) };
  } catch (error) {
    // A request that its signal ends fails with an error that does not say why.
    throw signal.aborted ? signal.reason : error;
  }
}

const MOST_REDIRECTS = 5;

/**
 * Not by `fetch`, nor by an import of `node:http`, which loads it too, for the sake of a few names: Temporal's client
 * has loaded the rest already.
 */
const clientFor = ({ protocol }: URL) =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');

async function fetchReadiness(
  url: URL,
  signal: AbortSignal,
  redirects = MOST_REDIRECTS,
): Promise<Readiness> {
  const request = clientFor(url).get(url, { signal });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location && redirects > 0) {
    response.resume();
    return fetchReadiness(new URL(headers.location, url), signal, redirects - 1);
  }
  return json(response).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
    // As of another server at the address.
    throw new OperatorError(`It answered with status ${statusCode}, but not with its checks.`);
  }) as Promise<Readiness>;
}

/** Who takes the leads' workflow tasks, and which open runs nobody takes. */
async function readRuns(client: Client, now: Date) {
  const [workers, withoutWorker] = await Promise.all([
    readPollingWorkers(client, now),
    readAbandonedVersions(client),
  ]);
  return { ...workers, withoutWorker };
}

async function readWork({ database: { url }, companyTimeZone }: Config, now: Date) {
  const limits = { connectTimeoutMs: LIMIT_MS, queryTimeoutMs: LIMIT_MS };
  // Postgres may have few connections left, and each costs more than these statements.
  const database = await connectDatabase({ url, poolSize: 1, ...limits });
  const today = startOfDay(now, companyTimeZone) ?? now;
  // A transaction sends its statements together: one after the other, far from Postgres, they would take seconds.
  const work = database.transaction((sql) =>
    Promise.all([isReadOnly(sql), readWorkFigures(sql, today)]),
  );
  const [readOnly, figures] = await work.finally(() => void database.close());
  return { isReadOnly: readOnly, work: figures };
}

/** What `leadctl status --json` prints. The figures are null where Postgres tells none. */
function statusJson(readings: Readings, problems: readonly Problem[]) {
  const { at, api, worker, temporal, runs, postgres } = readings;
  const { polling = [], withoutWorker = [] } = runs.state === 'answers' ? runs : {};
  const isReadOnly = postgres.state === 'answers' && postgres.isReadOnly;
  const work = postgres.state === 'answers' ? postgres.work : null;
  return {
    at,
    api: { ok: isReady(api), ...partJson(api) },
    worker: {
      ok: (worker === null || isReady(worker)) && polling.some(({ isCurrent }) => isCurrent),
      ...(worker && partJson(worker)),
      polling,
      withoutWorker,
    },
    temporal: {
      ok: temporal.state === 'answers' && runs.state === 'answers',
      namespace: temporal.namespace,
      ...(runs.state === 'away' && { reason: runs.reason }),
      ...partJson(temporal),
    },
    postgres: {
      ok: postgres.state === 'answers' && !isReadOnly,
      isReadOnly,
      address: postgres.address,
      ...(postgres.state === 'away' && { reason: postgres.reason }),
    },
    leads: work?.leads ?? null,
    outbox: work?.outbox ?? null,
    webhooks: work?.webhooks ?? null,
    enquiries: work?.enquiries ?? null,
    problems,
  };
}

const isReady = (part: Readings['api']) =>
  part.state === 'answers' && part.readiness['ready'] === true;

/** The reading but for its state, which `ok` tells. */
const partJson = ({ state: _, ...others }: Readings['api'] | Readings['temporal']) => others;

function statusText(readings: Readings, problems: readonly Problem[]): string {
  const { at, api, temporal, postgres } = readings;
  const lines = fieldLines([
    ['API', partText(api)],
    ['worker', workerText(readings)],
    ['Temporal', partText(temporal)],
    ['Postgres', postgresText(postgres)],
    ...(postgres.state === 'answers' ? workFields(postgres.work) : []),
  ]);
  const found = problems.map(({ what, command }) => `- ${what}\n    ${command}`);
  const verdict = found.length === 0 ? ['Nothing is wrong.'] : ['What is wrong:', ...found];
  return [timeText(at), lines, '', ...verdict].join('\n');
}

const partText = ({
  address,
  state,
}: Readings['temporal'] | Readings['api'] | Readings['postgres']) =>
  `${state === 'answers' ? 'answers' : 'is away'}, ${address}`;

const postgresText = (postgres: Readings['postgres']) =>
  postgres.state === 'answers' && postgres.isReadOnly
    ? `is read-only, ${postgres.address}`
    : partText(postgres);

function workerText({ at, worker, runs }: Readings): string {
  if (worker?.state === 'away') return `is away, ${worker.address}`;
  if (runs.state === 'away')
    return worker ? `answers, ${worker.address}` : 'not known: Temporal does not tell';
  if (runs.polling.length === 0) return 'none polls';
  const versions = runs.polling.map(({ version, workers, isCurrent, lastPollAt }) => {
    const seconds = Math.max(0, (at.getTime() - lastPollAt.getTime()) / 1000);
    const current = isCurrent ? '' : ', not current';
    const of = version ? `of ${versionText(version)}` : '(no versioning)';
    return `${count(workers, 'worker')} ${of}${current}, last poll ${durationText(seconds)} ago`;
  });
  return versions.join('; ');
}

function workFields({ leads, outbox, webhooks, enquiries }: WorkFigures): [string, string][] {
  const oldest =
    leads.pending > 0 ? `, the oldest for ${durationText(leads.oldestPendingSeconds)}` : '';
  const lag = outbox.rows > 0 ? `, the oldest ${durationText(outbox.lagSeconds)} old` : '';
  const failing = webhooks.failingEndpoints.map(({ url }) => url).join(', ');
  return [
    ['pending', `${count(leads.pending, 'lead')} without a decision${oldest}`],
    ['waiting', `${count(leads.waiting, 'lead')} for an agent, ${figure(leads.pool)} in a pool`],
    ['unassigned', `${count(leads.unassignedToday, 'lead')} today`],
    ['outbox', `${count(outbox.rows, 'event')}${lag}`],
    ['endpoints', failing ? `failing: ${failing}` : 'none fails'],
    [
      'enquiries',
      `${figure(enquiries.lastHour)} in the last hour, ${figure(enquiries.sameHourLastWeek)} in the same hour a week ago`,
    ],
  ];
}
