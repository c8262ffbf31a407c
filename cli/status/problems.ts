import type { WorkFigures } from '../../store/leads/work-states.ts';
import type { AbandonedVersion, PollingWorkers } from '../../temporal/worker-versions.ts';
import type { Stack } from '../stack.ts';
import { count, durationText, figure, timeText } from '../text.ts';

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
  const state = pid === null ? 'does not run' : `is starting or stopping, as process ${pid}`;
  return {
    what: `The stack of npm start in ${folder} ${state}, so enquiries are refused and leads wait.`,
    command: pid === null ? startLine : 'leadctl status',
  };
}

type Check = [isWrong: boolean, what: string, command: string];

/** Lists each cause before its effects. */
export function findProblems(status: Status, commands: Commands): Problem[] {
  const { api, worker, temporal, postgres, work } = status;
  const checks = [
    ...checkPostgres(postgres, commands),
    checkTemporal(temporal, commands),
    ...checkProcess('API', api, status, commands.api),
    ...checkProcess('worker', worker, status, commands.worker),
    ...(temporal.ok ? checkRuns(status, commands) : []),
    ...(work ? checkWork(work) : []),
  ];
  return checks.flatMap(([isWrong, what, command]) => (isWrong ? [{ what, command }] : []));
}

const isAway = ({ reason }: Partial<Part>) => reason !== undefined;

function checkPostgres(postgres: Status['postgres'], commands: Commands): Check[] {
  const { address, isReadOnly } = postgres;
  const effect = 'so enquiries get a 503 and leads wait.';
  const ping = `pg_isready -d postgres://${address}`;
  const showMode = `psql "$DATABASE_URL" -c 'select pg_is_in_recovery()'`;
  return [
    [isAway(postgres), `Postgres at ${address} is away, ${effect}`, commands.postgres ?? ping],
    [isReadOnly, `Postgres at ${address} takes no writes, ${effect}`, showMode],
  ];
}

function checkTemporal(part: Status['temporal'], { temporal, restart }: Commands): Check {
  const { address, namespace } = part;
  const what = `Temporal at ${address} does not serve the namespace ${namespace}, so leads wait.`;
  const options = `--address ${address} --namespace ${namespace}`;
  return [isAway(part), what, restart ?? `${temporal} operator namespace describe ${options}`];
}

const WITHOUT = { API: 'enquiries are refused', worker: 'leads wait' };

function checkProcess(
  name: keyof typeof WITHOUT,
  part: Partial<Part>,
  { temporal, postgres }: Status,
  start: string,
): Check[] {
  const { address, readiness = {} } = part;
  const named: Record<string, boolean> = {
    ready: Object.keys(readiness).some((check) => check !== 'ready' && !readiness[check]),
    database: !postgres.ok,
    migrations: isAway(postgres),
    temporal: isAway(temporal),
  };
  const failed = Object.keys(readiness).filter((check) => !readiness[check] && !named[check]);
  const isBehind = failed.includes('migrations') && !failed.includes('database');
  const what = `The ${name} at ${address} fails its checks: ${failed.join(', ')}.`;
  return [
    [isAway(part), `No ${name} answers at ${address}, so ${WITHOUT[name]}.`, start],
    [failed.length > 0, what, isBehind ? 'npm run migrate' : `curl ${address}/readyz`],
  ];
}

function checkRuns({ worker, temporal, current }: Status, commands: Commands): Check[] {
  const { polling, withoutWorker } = worker;
  const [newest] = polling;
  const { deploymentName, buildId } = newest?.version ?? { ...current, buildId: null };
  const build = buildId === null ? '--unversioned' : `--build-id ${buildId}`;
  const options = `--address ${temporal.address} --namespace ${temporal.namespace} --deployment-name ${deploymentName} ${build}`;
  return [
    [!newest && !isAway(worker), 'No worker runs, so leads wait.', commands.worker],
    [
      polling.length > 0 && !polling.some(({ isCurrent }) => isCurrent),
      'No worker of the current version runs, so new leads wait.',
      `${commands.temporal} worker deployment set-current-version ${options}`,
    ],
    ...withoutWorker.map(({ openRuns, ...version }): Check => [
      true,
      `${count(openRuns, 'open run')} without a worker: start one in a checkout or an image of ${versionText(version)}.`,
      // Without the build id, since code of another version would fail the runs under it.
      `WORKER_DEPLOYMENT=${version.deploymentName} npm run worker`,
    ]),
  ];
}

function checkWork({ leads, outbox, webhooks, enquiries }: WorkFigures): Check[] {
  const { lastHour, sameHourLastWeek } = enquiries;
  return [
    [
      leads.oldestPendingSeconds > BOUNDS.lead_pending_oldest_seconds,
      `The oldest of ${count(leads.pending, 'lead')} has no decision after ${durationText(leads.oldestPendingSeconds)}.`,
      'leadctl lead list --status pending',
    ],
    [
      outbox.lagSeconds > BOUNDS.lead_outbox_lag_seconds,
      `The oldest of ${count(outbox.rows, 'event')} of leads is not signalled after ${durationText(outbox.lagSeconds)}.`,
      'leadctl lead list --status pending',
    ],
    [
      leads.unassignedToday > 0,
      `${count(leads.unassignedToday, 'lead')} went to nobody today.`,
      'leadctl lead list --status unassigned --since 1d',
    ],
    [
      leads.waiting > BOUNDS.leads_waiting,
      `${count(leads.waiting, 'lead')} wait for an agent.`,
      'leadctl agent list',
    ],
    ...webhooks.failingEndpoints.map((endpoint): Check => [
      true,
      `The endpoint ${endpoint.url} of client ${endpoint.clientName} (${endpoint.clientId}) fails since ${timeText(endpoint.failingSince)}.`,
      `leadctl webhook show ${endpoint.endpointId}`,
    ]),
    [
      sameHourLastWeek / (lastHour + 1) > BOUNDS.leads_created_last_hour,
      `Few enquiries arrive: ${figure(lastHour)} in the last hour, ${figure(sameHourLastWeek)} in the same hour a week ago.`,
      'leadctl client list',
    ],
  ];
}

export const versionText = (version: PollingWorkers['version']) =>
  version ? `version ${version.deploymentName}:${version.buildId}` : 'no version';
