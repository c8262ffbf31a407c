import { silentProgress } from '../../dev/progress.ts';
import { locateTemporal } from '../../dev/temporal/locate.ts';
import type { BurstFigures } from './lifecycle/burst.ts';
import { benchFloorBurst } from './lifecycle/floor-burst.ts';
import { startReceiver } from './lifecycle/receiver-program.ts';
import { benchServiceBurst, prepareLeads, type WaitingLeads } from './lifecycle/service-burst.ts';
import { BESIDE, BURST, STEADY, type Burst } from './lifecycle/settings.ts';
import type { LifecycleSetup } from './lifecycle/setup.ts';
import { benchSteady, type SteadyFigures } from './lifecycle/steady.ts';
import { stopAfterwards } from './lifecycle/stoppable.ts';
import { medianOfRounds } from './median.ts';

export interface Bursts {
  /** A workflow that does nothing. */
  trivial: BurstFigures;
  /** The same with the least of statements and calls that a lead needs. */
  bare: BurstFigures;
  service: BurstFigures;
}

export interface LifecycleBench {
  burst: Bursts;
  steady: SteadyFigures;
  /** Figures of one client, beside another whose endpoint answers, and one whose endpoint hangs. */
  without: SteadyFigures;
  beside: SteadyFigures;
}

export type LifecycleOptions = Omit<LifecycleSetup, 'temporalBinary' | 'receiverUrl'> & {
  /** To find the Temporal server in. */
  env: Record<string, string | undefined>;
};

/**
 * What becomes of a lead after its 201, on the embedded Temporal server, beside a trivial workflow with as
 * many activities, and beside one whose activities hold plain statements and calls. Server and worker of only
 * one side run at a time, so that none is charged for the idle polls of another.
 */
export function benchLifecycle({ env, ...options }: LifecycleOptions): Promise<LifecycleBench> {
  return stopAfterwards(async (keep) => {
    const temporalBinary = await embeddedTemporal(env);
    const receiverUrl = await startReceiver(keep, options.folder);
    const setup = { ...options, temporalBinary, receiverUrl };
    const leads = await prepareLeads(setup);
    return { burst: await benchBursts(setup, leads, BURST), ...(await benchDelays(setup)) };
  });
}

export const embeddedTemporal = (env: LifecycleOptions['env']) =>
  locateTemporal(env, silentProgress);

/** Interleaved, so that other load on the machine falls on all sides alike. */
async function benchBursts(setup: LifecycleSetup, waiting: WaitingLeads, { rounds, leads }: Burst) {
  const trivial: BurstFigures[] = [];
  const bare: BurstFigures[] = [];
  const service: BurstFigures[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const of = (side: string) => ({ leads, round: `${side}_${leads}_${round}` });
    trivial.push(await benchFloorBurst(setup, of('trivial')));
    bare.push(await benchFloorBurst(setup, { ...of('bare'), waiting }));
    service.push(await benchServiceBurst(setup, waiting, of('service')));
  }
  return {
    trivial: medianOfRounds(trivial),
    bare: medianOfRounds(bare),
    service: medianOfRounds(service),
  };
}

async function benchDelays(setup: LifecycleSetup) {
  const { seconds, perSecond, otherPerSecond } = BESIDE;
  const besideOther = (hangs: boolean) => {
    return { seconds, perSecond, other: { perSecond: otherPerSecond, hangs } };
  };
  return {
    steady: await benchSteady(setup, STEADY, 'steady'),
    without: await benchSteady(setup, besideOther(false), 'without'),
    beside: await benchSteady(setup, besideOther(true), 'beside'),
  };
}
