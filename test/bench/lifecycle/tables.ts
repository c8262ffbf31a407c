import type { Bursts, LifecycleBench } from '../lifecycle.ts';
import { printTable } from '../table.ts';
import type { BurstFigures } from './burst.ts';
import { BESIDE, BURST, DRAIN_SECONDS, STEADY, type Burst } from './settings.ts';
import type { SteadyFigures } from './steady.ts';

export function showLifecycle(bench: LifecycleBench): void {
  const { burst, steady, without, beside } = bench;
  showBurst(BURST, burst);
  showHistories(burst);
  showSteady(steady);
  showHanging(without, beside);
}

const times = (a: number, b: number) => (a / b).toFixed(2);

/** Milliseconds are processor time per lead; the last columns compare with the trivial workflow. */
function showBurst({ rounds, leads }: Burst, bursts: Bursts): void {
  const { trivial } = bursts;
  const row = (name: string, found: BurstFigures) => {
    const { temporalMs, workerMs, cpuMs, perSecond } = found;
    return [
      name,
      ...[temporalMs, workerMs, cpuMs].map((ms) => ms.toFixed(2)),
      times(cpuMs, trivial.cpuMs),
      perSecond.toFixed(1),
      times(perSecond, trivial.perSecond),
    ];
  };
  const figures = ['Temporal ms', 'worker ms', 'both ms', '×'];
  const rates = ['delivered per s', '×'];
  printTable([`${rounds} × ${leads} leads at once`, ...figures, ...rates], rowsOf(bursts, row));
}

function showHistories(bursts: Bursts): void {
  const row = (name: string, found: BurstFigures) => {
    const { workflowsPerLead, events, workflowTasks, activities } = found;
    return [name, workflowsPerLead.toFixed(2), events, workflowTasks, activities];
  };
  printTable(
    ['one lead', 'workflows', 'events', 'workflow tasks', 'activities'],
    rowsOf(bursts, row),
  );
}

function rowsOf<Row>(
  { trivial, bare, service }: Bursts,
  row: (name: string, found: BurstFigures) => Row,
): Row[] {
  return [
    row('trivial workflow', trivial),
    row('with bare statements and calls', bare),
    row('this service', service),
  ];
}

function showSteady(steady: SteadyFigures): void {
  const { perSecond, seconds } = STEADY;
  const { assignedP50Ms, assignedP99Ms, deliveredP50Ms, deliveredP99Ms } = steady;
  printTable(
    [`${perSecond} leads per s for ${seconds} s`, 'p50 ms', 'p99 ms', ...UNDONE],
    [
      [
        'created to assigned',
        assignedP50Ms.toFixed(0),
        assignedP99Ms.toFixed(0),
        ...undone(steady),
      ],
      [
        'event to delivered',
        deliveredP50Ms.toFixed(0),
        deliveredP99Ms.toFixed(0),
        ...undone(steady),
      ],
    ],
  );
}

function showHanging(without: SteadyFigures, beside: SteadyFigures): void {
  const row = (name: string, found: SteadyFigures) => {
    const { deliveredP50Ms, deliveredP99Ms } = found;
    const ratio = times(deliveredP99Ms, without.deliveredP99Ms);
    return [name, deliveredP50Ms.toFixed(0), deliveredP99Ms.toFixed(0), ratio, ...undone(found)];
  };
  printTable(
    [`event to delivered, ${BESIDE.perSecond} leads per s`, 'p50 ms', 'p99 ms', 'p99 ×', ...UNDONE],
    [
      row(`beside ${BESIDE.otherPerSecond} per s to one that answers`, without),
      row(`beside ${BESIDE.otherPerSecond} per s to one that hangs`, beside),
    ],
  );
}

/** Leads left later too mean that the pace exceeds what the machine can do. */
const UNDONE = ['open at the end', `${DRAIN_SECONDS} s later`];

function undone(found: SteadyFigures): number[] {
  return [found.undone, found.undoneLater];
}
