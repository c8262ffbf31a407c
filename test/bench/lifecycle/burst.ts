import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { waitUntil } from '../../../dev/wait-until.ts';
import { latencyOf } from '../latency.ts';
import { cpuMsOf } from './cpu.ts';
import { readHistories } from './histories.ts';
import type { Histories } from './histories.ts';
import { BURST_LIMIT_MS, START_WIDTH, WARM_UP } from './settings.ts';

export interface Progress {
  /** How many are done. */
  done: number;
  /** When the last of them was; milliseconds since 1970. */
  lastAtMs: number;
}

/** Workflows that lie ready to be started, with the only worker process that runs meanwhile. */
export interface BurstSide {
  client: Client;
  temporalPid: number;
  workerPid: number;
  /** Signals the one of that index, which starts it. */
  start(index: number): Promise<void>;
  progress(): Promise<Progress>;
}

export interface BurstFigures extends Histories {
  temporalMs: number;
  workerMs: number;
  cpuMs: number;
  perSecond: number;
  workflowsPerLead: number;
}

/** What a round starts: the warm-up, the burst and one alone. */
export const startedIn = (leads: number): number => WARM_UP.leads + leads + 1;

/** Visibility is written after the fact. */
const VISIBLE_AFTER_MS = 2000;

/**
 * The burst, and after it one alone, whose histories are read. The clock runs from the first signal until
 * the last is done, and so does the count of processor time.
 */
export async function measureBurst(side: BurstSide, leads: number): Promise<BurstFigures> {
  await latencyOf(side.start, { times: WARM_UP.leads, atOnce: START_WIDTH });
  await doneBy(side, WARM_UP.leads);
  const [temporalBefore, workerBefore] = [cpuMsOf(side.temporalPid), cpuMsOf(side.workerPid)];
  const startedAtMs = Date.now();
  await latencyOf(side.start, { from: WARM_UP.leads, times: leads, atOnce: START_WIDTH });
  const { lastAtMs } = await doneBy(side, WARM_UP.leads + leads);
  const temporalMs = (cpuMsOf(side.temporalPid) - temporalBefore) / leads;
  const workerMs = (cpuMsOf(side.workerPid) - workerBefore) / leads;
  return {
    ...{ temporalMs, workerMs, cpuMs: temporalMs + workerMs },
    perSecond: (leads * 1000) / (lastAtMs - startedAtMs),
    ...(await measureOne(side, startedIn(leads))),
  };
}

async function measureOne(side: BurstSide, started: number) {
  const since = new Date();
  await side.start(started - 1);
  await doneBy(side, started);
  await sleep(VISIBLE_AFTER_MS);
  const { count } = await side.client.workflow.count();
  return { workflowsPerLead: count / started, ...(await readHistories(side.client, since)) };
}

function doneBy(side: BurstSide, wanted: number): Promise<Progress> {
  const probe = async () => {
    const progress = await side.progress();
    if (progress.done < wanted) throw new Error(`${progress.done} of ${wanted} are done`);
    return progress;
  };
  return waitUntil(probe, { what: 'The burst', everyMs: 200, timeoutMs: BURST_LIMIT_MS });
}
