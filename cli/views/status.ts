import type { WorkFigures } from '../../store/leads/work-states.ts';
import { versionText, type Problem, type Readings } from '../status/problems.ts';
import { count, durationText, fieldLines, figure, timeText } from '../text.ts';

/** What `leadctl status --json` prints. The figures are null where Postgres tells none. */
export function statusJson(readings: Readings, problems: readonly Problem[]) {
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

export function statusText(readings: Readings, problems: readonly Problem[]): string {
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
