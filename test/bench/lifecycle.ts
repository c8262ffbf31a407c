import { medianOfRounds, printTable, type Place } from './harness.ts';
import type { BurstFigures } from './lifecycle/burst.ts';
import { benchFloorBurst } from './lifecycle/floor-burst.ts';
import { benchServiceBurst, prepareLeads } from './lifecycle/service-burst.ts';
import { BESIDE, BURST, DRAIN_SECONDS, STEADY } from './lifecycle/settings.ts';
import { prepareSetup, type LifecycleSetup } from './lifecycle/setup.ts';
import { benchSteady, type SteadyFigures } from './lifecycle/steady.ts';
import { stopAfterwards } from './lifecycle/stoppable.ts';

/**
 * What becomes of a lead after its 201, on the embedded Temporal server, beside a trivial workflow with as
 * many activities, and beside one whose activities hold plain statements and calls. Server and worker of only
 * one side run at a time, so that none is charged for the idle polls of another.
 */
export function benchLifecycle(place: Place): Promise<void> {
  return stopAfterwards(async (keep) => {
    const setup = await prepareSetup(keep, place);
    showBursts(await benchBursts(setup));
    await benchDelays(setup);
  });
}

/** Interleaved, so that other load on the machine falls on all sides alike. */
async function benchBursts(setup: LifecycleSetup): Promise<[name: string, BurstFigures][]> {
  const waiting = await prepareLeads(setup);
  const { rounds, leads } = BURST;
  const trivial: BurstFigures[] = [];
  const bare: BurstFigures[] = [];
  const service: BurstFigures[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const of = (side: string) => ({ leads, round: `${side}_${leads}_${round}` });
    trivial.push(await benchFloorBurst(setup, of('trivial')));
    bare.push(await benchFloorBurst(setup, { ...of('bare'), waiting }));
    service.push(await benchServiceBurst(setup, waiting, of('service')));
  }
  return [
    ['trivial workflow', medianOfRounds(trivial)],
    ['with bare statements and calls', medianOfRounds(bare)],
    ['this service', medianOfRounds(service)],
  ];
}

const times = (a: number, b = NaN) => (a / b).toFixed(2);

/** Milliseconds are processor time per lead; the columns × compare with the trivial workflow. */
function showBursts(bursts: readonly [name: string, BurstFigures][]): void {
  const { rounds, leads } = BURST;
  const trivial = bursts[0]?.[1];
  const costs = ['Temporal ms', 'worker ms', 'both ms', '×', 'delivered per s', '×'];
  printTable(
    [`${rounds} × ${leads} leads at once`, ...costs],
    bursts.map(([name, { temporalMs, workerMs, cpuMs, perSecond }]) => [
      name,
      ...[temporalMs, workerMs, cpuMs].map((ms) => ms.toFixed(2)),
      times(cpuMs, trivial?.cpuMs),
      perSecond.toFixed(1),
      times(perSecond, trivial?.perSecond),
    ]),
  );
  printTable(
    ['one lead', 'workflows', 'events', 'workflow tasks', 'activities'],
    bursts.map(([name, { workflowsPerLead, events, workflowTasks, activities }]) => [
      name,
      workflowsPerLead.toFixed(2),
      events,
      workflowTasks,
      activities,
    ]),
  );
}

async function benchDelays(setup: LifecycleSetup): Promise<void> {
  const { seconds, perSecond, otherPerSecond } = BESIDE;
  const besideOther = (hangs: boolean) => {
    return { seconds, perSecond, other: { perSecond: otherPerSecond, hangs } };
  };
  const steady = await benchSteady(setup, STEADY, 'steady');
  const without = await benchSteady(setup, besideOther(false), 'without');
  const beside = await benchSteady(setup, besideOther(true), 'beside');
  // Leads left later too mean that the pace exceeds what the machine can do.
  const undone = ['open at the end', `${DRAIN_SECONDS} s later`];
  const row = (name: string, p50Ms: number, p99Ms: number, found: SteadyFigures) => [
    name,
    p50Ms.toFixed(0),
    p99Ms.toFixed(0),
    found.undone,
    found.undoneLater,
  ];
  const delivered = (name: string, found: SteadyFigures) =>
    row(name, found.deliveredP50Ms, found.deliveredP99Ms, found);
  printTable(
    [`${STEADY.perSecond} leads per s for ${STEADY.seconds} s`, 'p50 ms', 'p99 ms', ...undone],
    [
      row('created to assigned', steady.assignedP50Ms, steady.assignedP99Ms, steady),
      delivered('event to delivered', steady),
    ],
  );
  printTable(
    [`event to delivered, ${perSecond} leads per s`, 'p50 ms', 'p99 ms', ...undone, 'p99 ×'],
    [
      [...delivered(`beside ${otherPerSecond} per s to one that answers`, without), '1.00'],
      [
        ...delivered(`beside ${otherPerSecond} per s to one that hangs`, beside),
        times(beside.deliveredP99Ms, without.deliveredP99Ms),
      ],
    ],
  );
}
