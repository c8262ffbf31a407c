import type { WorkFigures } from '../../store/leads/work-states.ts';
import type { AbandonedVersion, PollingWorkers } from '../../temporal/worker-versions.ts';
import type { Stack } from '../stack.ts';
import { ageText, count, durationText, figure } from '../text.ts';

export interface Part {
  ok: boolean;
  address: string;
  /** Why it is unreachable. */
  reason?: string;
  readiness?: Record<string, boolean>;
}

export interface Status {
  at: Date;
  api: Part;
  /** Has no address if WORKER_OPS_URL is not set. */
  worker: Partial<Part> & { polling: PollingWorkers[]; withoutWorker: AbandonedVersion[] };
  temporal: Part & { namespace: string };
  postgres: Part & { isReadOnly: boolean };
  /** The version of new runs. Null for workers without a version. */
  current: PollingWorkers['version'];
  /** Null while Postgres is unreachable. */
  work: WorkFigures | null;
}

export interface Problem {
  what: string;
  command: string;
}

/** The maximum of each metric. A test compares them with docs/prometheus-alerts.yml. */
export const BOUNDS = {
  lead_outbox_lag_seconds: 30,
  lead_pending_oldest_seconds: 120,
  leads_waiting: 50,
  leads_created_last_hour: 10,
};

/** Restarts a stack of `npm start` as a whole. `pid` is the process that locks its folder. */
export function commandsOf(stack: Stack | null, pid: number | null) {
  const temporal = stack?.temporalCli ?? 'temporal';
  const others = { api: 'npm run api', worker: 'npm run worker', postgres: null, restart: null };
  if (!stack) return { ...others, temporal };
  const restart = pid === null ? stack.startLine : `kill ${pid} && ${stack.startLine}`;
  const postgres = stack.hasPostgres ? restart : null;
  return { api: restart, worker: restart, postgres, restart, temporal };
}

type Commands = ReturnType<typeof commandsOf>;

export function stoppedProblem({ folder, startLine }: Stack, pid: number | null): Problem {
  const state = pid === null ? 'is stopped' : `is starting or stopping as process ${pid}`;
  return {
    what: `The stack of npm start in ${folder} ${state}, so enquiries are refused and leads wait.`,
    command: pid === null ? startLine : 'leadctl status',
  };
}

type Check = [isWrong: boolean, what: string, command: string];

/** Lists each cause before its effects. */
export function findProblems(status: Status, commands: Commands): Problem[] {
  const { at, api, worker, temporal, postgres, work } = status;
  const checks = [
    ...checkPostgres(postgres, commands),
    checkTemporal(temporal, commands),
    ...checkProcess('API', api, status, commands.api),
    ...checkProcess('worker', worker, status, commands.worker),
    ...(temporal.ok ? checkRuns(status, commands) : []),
    ...(work ? checkWork(work, at) : []),
  ];
  return checks.flatMap(([isWrong, what, command]) => (isWrong ? [{ what, command }] : []));
}

const isUnreachable = ({ reason }: Partial<Part>) => reason !== undefined;

function checkPostgres(postgres: Status['postgres'], commands: Commands): Check[] {
  const { address, isReadOnly } = postgres;
  const effect = 'so enquiries get a 503 and leads wait.';
  const ping = commands.postgres ?? `pg_isready -d postgres://${address}`;
  const showMode = `psql "$DATABASE_URL" -c 'select pg_is_in_recovery()'`;
  return [
    [isUnreachable(postgres), `Postgres at ${address} is unreachable, ${effect}`, ping],
    [isReadOnly, `Postgres at ${address} is read-only, ${effect}`, showMode],
  ];
}

function checkTemporal(part: Status['temporal'], { temporal, restart }: Commands): Check {
  const { address, namespace } = part;
  const what = `Namespace ${namespace} of Temporal at ${address} is unreachable, so leads wait.`;
  const options = `--address ${address} --namespace ${namespace}`;
  const describe = `${temporal} operator namespace describe ${options}`;
  return [isUnreachable(part), what, restart ?? describe];
}

const WITHOUT = { API: 'enquiries are refused', worker: 'leads wait' };

/** While Postgres or Temporal has a problem, the checks of a process fail for it. */
function checkProcess(
  name: keyof typeof WITHOUT,
  part: Partial<Part>,
  { temporal, postgres }: Status,
  start: string,
): Check[] {
  const { address, readiness = {} } = part;
  const failed = Object.keys(readiness).filter((check) => check !== 'ready' && !readiness[check]);
  const isOwn = readiness['ready'] === false && postgres.ok && temporal.ok;
  const what = `The ${name} at ${address} is not ready. Failed checks: ${failed.join(', ') || 'none'}.`;
  const fix = failed.includes('migrations') ? 'npm run migrate' : `curl ${address}/readyz`;
  return [
    [isUnreachable(part), `The ${name} at ${address} is unreachable, so ${WITHOUT[name]}.`, start],
    [isOwn, what, fix],
  ];
}

function checkRuns({ worker, temporal, current }: Status, commands: Commands): Check[] {
  const { polling, withoutWorker } = worker;
  const [newest] = polling;
  const isCurrent = polling.some((each) => each.isCurrent);
  const { deploymentName, buildId } = newest?.version ?? { ...current, buildId: null };
  const build = buildId === null ? '--unversioned' : `--build-id ${buildId}`;
  const options = `--address ${temporal.address} --namespace ${temporal.namespace} --deployment-name ${deploymentName} ${build}`;
  const setCurrent = `${commands.temporal} worker deployment set-current-version ${options}`;
  const without = 'No worker of the current version is running, so new leads wait.';
  return [
    [!newest && !isUnreachable(worker), 'No worker is running, so leads wait.', commands.worker],
    [newest !== undefined && !isCurrent, without, setCurrent],
    ...withoutWorker.map(({ openRuns, ...version }): Check => [
      true,
      `No worker of ${versionText(version)} is running for ${count(openRuns, 'open run')}. Start one from its code.`,
      // Without the build id, since code of another version would fail the runs under it.
      `WORKER_DEPLOYMENT=${version.deploymentName} npm run worker`,
    ]),
  ];
}

function checkWork({ leads, outbox, webhooks, enquiries }: WorkFigures, at: Date): Check[] {
  const { pending, oldestPendingSeconds, waiting, unassignedToday } = leads;
  const { lastHour, sameHourLastWeek } = enquiries;
  const isStuck = oldestPendingSeconds > BOUNDS.lead_pending_oldest_seconds;
  const isBehind = outbox.lagSeconds > BOUNDS.lead_outbox_lag_seconds;
  const isQuiet = sameHourLastWeek / (lastHour + 1) > BOUNDS.leads_created_last_hour;
  const [oldest, lag] = [oldestPendingSeconds, outbox.lagSeconds].map(durationText);
  const few = `Only ${figure(lastHour)} enquiries arrived in the last hour, ${figure(sameHourLastWeek)} a week ago.`;
  const list = 'leadctl lead list --status';
  return [
    [isStuck, `${count(pending, 'lead')} pending, the oldest for ${oldest}.`, `${list} pending`],
    [isBehind, `${count(outbox.rows, 'event')} not signalled after ${lag}.`, `${list} pending`],
    [
      unassignedToday > 0,
      `${count(unassignedToday, 'lead')} unassigned today.`,
      `${list} unassigned --since 1d`,
    ],
    [
      waiting > BOUNDS.leads_waiting,
      `${count(waiting, 'lead')} waiting for an agent.`,
      'leadctl agent list',
    ],
    ...webhooks.failingEndpoints.map(({ clientName, url, failingSince, endpointId }): Check => [
      true,
      `Webhooks of client ${clientName} to ${url} have failed for ${ageText(failingSince, at)}.`,
      `leadctl webhook show ${endpointId}`,
    ]),
    [isQuiet, few, 'leadctl client list'],
  ];
}

export const versionText = (version: PollingWorkers['version']) =>
  version ? `version ${version.deploymentName}:${version.buildId}` : 'no version';
