import { READ_ONLY_REASON } from '../../platform/startup-error.ts';
import type { WorkFigures } from '../../store/leads/work-states.ts';
import type { AbandonedVersion, PollingWorkers } from '../../temporal/worker-versions.ts';
import type { Stack } from '../stack.ts';
import { count, durationText, figure, timeText } from '../text.ts';

/** The page `/readyz` of an API or a worker: each member is a check. */
export type Readiness = Record<string, boolean>;

export type Asked<Answer> = ({ state: 'answers' } & Answer) | { state: 'away'; reason: string };

export type Part<Answer = object> = { address: string } & Asked<Answer>;

export interface Readings {
  at: Date;
  api: Part<{ readiness: Readiness }>;
  /** One worker's own page; null: its address is not known here. */
  worker: Part<{ readiness: Readiness }> | null;
  temporal: Part & { namespace: string };
  /** `current` is the version on which new runs start; null: workers without one take them. */
  runs: Asked<{
    current: PollingWorkers['version'];
    polling: PollingWorkers[];
    withoutWorker: AbandonedVersion[];
  }>;
  postgres: Part<{ isReadOnly: boolean; work: WorkFigures }>;
}

export interface Problem {
  what: string;
  command: string;
}

/** What each metric may be at most. docs/prometheus-alerts.yml has the same bounds, which a test compares. */
export const BOUNDS = {
  lead_outbox_lag_seconds: 30,
  lead_pending_oldest_seconds: 120,
  leads_waiting: 50,
  leads_created_last_hour: 10,
};

interface Commands {
  API: string;
  worker: string;
  /** Null: it is not known what starts it. */
  postgres: string | null;
  /** The beginning of each line of Temporal's own command. */
  temporal: string;
}

export const ALONE: Commands = {
  API: 'npm run api',
  worker: 'npm run worker',
  postgres: null,
  temporal: 'temporal',
};

/** Those of a stack of `npm start`, which ends as a whole. `pid` is its process, which locks the folder; null: it has ended. */
export function commandsOfStack(stack: Stack, pid: number | null): Commands {
  const restart = pid === null ? stack.startLine : `kill ${pid} && ${stack.startLine}`;
  return {
    API: restart,
    worker: restart,
    postgres: stack.hasPostgres ? restart : null,
    temporal: stack.temporalCli ?? 'temporal',
  };
}

/** The one problem of a stack of `npm start` that was stopped; `pid` as above. */
export function stoppedProblem({ folder, startLine }: Stack, pid: number | null): Problem {
  const effect = 'so enquiries are refused and leads wait.';
  if (pid === null) {
    const what = `The stack of npm start in ${folder} does not run, ${effect}`;
    return { what, command: startLine };
  }
  const what = `The stack of npm start in ${folder} is starting or stopping, as process ${pid}, ${effect}`;
  return { what, command: 'leadctl status' };
}

/** What is wrong, each cause before what follows from it. */
export function findProblems(readings: Readings, commands = ALONE): Problem[] {
  const { api, worker, temporal, runs, postgres } = readings;
  const failing = postgresProblems(postgres, commands);
  const known = [
    ...(failing.length > 0 ? ['database'] : []),
    ...(postgres.state === 'away' ? ['migrations'] : []),
    ...(temporal.state === 'away' ? ['temporal'] : []),
  ];
  return [
    ...failing,
    ...temporalProblems(readings, commands),
    ...processProblems('API', api, known, commands),
    ...(worker ? processProblems('worker', worker, known, commands) : []),
    ...(runs.state === 'answers' ? runProblems(readings, runs, commands) : []),
    ...(postgres.state === 'answers' ? workProblems(postgres.work) : []),
  ];
}

function postgresProblems(postgres: Readings['postgres'], commands: Commands): Problem[] {
  const { address } = postgres;
  if (postgres.state === 'away') {
    const what = `Postgres at ${address} is away, so enquiries get a 503 and leads wait. ${postgres.reason}`;
    return [{ what, command: commands.postgres ?? `pg_isready -d postgres://${address}` }];
  }
  if (!postgres.isReadOnly) return [];
  const what = `Postgres at ${address} takes no writes, so enquiries get a 503 and leads wait. ${READ_ONLY_REASON}`;
  return [{ what, command: `psql "$DATABASE_URL" -c 'select pg_is_in_recovery()'` }];
}

function temporalProblems({ temporal, runs }: Readings, commands: Commands): Problem[] {
  const { address, namespace } = temporal;
  if (temporal.state === 'away') {
    const what = `Temporal at ${address} is away: enquiries are accepted, but leads wait until it is back. ${temporal.reason}`;
    return [{ what, command: `${commands.temporal} operator cluster health --address ${address}` }];
  }
  if (runs.state === 'answers') return [];
  const what = `Temporal’s namespace ${namespace} cannot be read. ${runs.reason}`;
  const command = `${commands.temporal} operator namespace describe --address ${address} --namespace ${namespace}`;
  return [{ what, command }];
}

const WITHOUT = { API: 'so enquiries are refused', worker: 'so leads wait' };

/** `known`: checks that fail for a reason that is named already. */
function processProblems(
  name: keyof typeof WITHOUT,
  part: Readings['api'],
  known: readonly string[],
  commands: Commands,
): Problem[] {
  if (part.state === 'away') {
    const what = `No ${name} answers at ${part.address}, ${WITHOUT[name]}. ${part.reason}`;
    return [{ what, command: commands[name] }];
  }
  const failed = Object.entries(part.readiness).flatMap(([check, isGood]) =>
    isGood || check === 'ready' || known.includes(check) ? [] : [check],
  );
  if (failed.length === 0) return [];
  const what = `The ${name} at ${part.address} fails its checks: ${failed.join(', ')}.`;
  const isBehind = failed.includes('migrations') && !failed.includes('database');
  return [{ what, command: isBehind ? 'npm run migrate' : `curl ${part.address}/readyz` }];
}

type Runs = Extract<Readings['runs'], { state: 'answers' }>;

function runProblems(
  { worker, temporal }: Readings,
  { current, polling, withoutWorker }: Runs,
  commands: Commands,
): Problem[] {
  const problems = withoutWorker.map(({ deploymentName, buildId, openRuns }) => ({
    what: `${count(openRuns, 'open run')} of version ${deploymentName}:${buildId} ${openRuns === 1 ? 'waits' : 'wait'}: none of its workers runs. In a checkout or an image of that version:`,
    // Its build id, given to the code of another version, would let that one fail the runs.
    command: `WORKER_DEPLOYMENT=${deploymentName} npm run worker`,
  }));
  if (polling.some(({ isCurrent }) => isCurrent)) return problems;
  const [newest] = polling;
  if (newest) return [notCurrent(newest.version, current, temporal, commands), ...problems];
  if (worker?.state === 'away') return problems; // named already
  return [{ what: 'No worker runs, so leads wait.', command: commands.worker }, ...problems];
}

/** As after the start of a first version, or of workers without one beside a version that is current. */
function notCurrent(
  version: PollingWorkers['version'],
  current: PollingWorkers['version'],
  { address, namespace }: Readings['temporal'],
  commands: Commands,
): Problem {
  const of = version
    ? `--deployment-name ${version.deploymentName} --build-id ${version.buildId}`
    : `--deployment-name ${current?.deploymentName} --unversioned`;
  const polling = version
    ? `${versionText(version)} is not current`
    : `the workers that run have none, and ${versionText(current)} is current`;
  return {
    what: `No worker of the current version runs, so new leads wait; ${polling}.`,
    command: `${commands.temporal} worker deployment set-current-version --address ${address} --namespace ${namespace} ${of}`,
  };
}

function workProblems({ leads, outbox, webhooks, enquiries }: WorkFigures): Problem[] {
  const problems: Problem[] = [];
  const add = (isWrong: boolean, what: string, command: string) =>
    isWrong && problems.push({ what, command });
  add(
    leads.oldestPendingSeconds > BOUNDS.lead_pending_oldest_seconds,
    `${count(leads.pending, 'lead')} ${leads.pending === 1 ? 'has' : 'have'} no decision, the oldest for ${durationText(leads.oldestPendingSeconds)}.`,
    'leadctl lead list --status pending',
  );
  add(
    outbox.lagSeconds > BOUNDS.lead_outbox_lag_seconds,
    `${count(outbox.rows, 'event')} of leads ${outbox.rows === 1 ? 'is' : 'are'} not signalled, the oldest for ${durationText(outbox.lagSeconds)}: no worker relays them, or Temporal refuses them.`,
    'leadctl lead list --status pending',
  );
  add(
    leads.unassignedToday > 0,
    `${count(leads.unassignedToday, 'lead')} went to nobody today.`,
    'leadctl lead list --status unassigned --since 1d',
  );
  add(
    leads.waiting > BOUNDS.leads_waiting,
    `${count(leads.waiting, 'lead')} wait for an agent.`,
    'leadctl agent list',
  );
  for (const { endpointId, clientId, clientName, url, failingSince } of webhooks.failingEndpoints)
    add(
      true,
      `The endpoint ${url} of client ${clientName} (${clientId}) fails since ${timeText(failingSince)}.`,
      `leadctl webhook show ${endpointId}`,
    );
  add(
    enquiries.sameHourLastWeek / (enquiries.lastHour + 1) > BOUNDS.leads_created_last_hour,
    `Few enquiries arrive: ${figure(enquiries.lastHour)} in the last hour, ${figure(enquiries.sameHourLastWeek)} in the same hour a week ago.`,
    'leadctl client list',
  );
  return problems;
}

export const versionText = (version: PollingWorkers['version']) =>
  version ? `version ${version.deploymentName}:${version.buildId}` : 'no version';
