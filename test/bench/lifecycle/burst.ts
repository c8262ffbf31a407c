import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { waitUntil } from '../../../dev/wait-until.ts';
import { cpuMsOf } from '../cpu.ts';
import { latencyOf } from '../harness.ts';
import { BURST_LIMIT_MS, OPEN_FOR_MS, START_WIDTH, WARM_UP } from './settings.ts';

export interface Progress {
  /** How many are done. */
  done: number;
  /** When the last of them was; milliseconds since 1970. */
  lastAtMs: number;
  /** How many runs are over. */
  ended: number;
}

/** Workflows that lie ready to be started, with the only worker process that runs meanwhile. */
export interface BurstSide {
  client: Client;
  temporalPid: number;
  workerPid: number;
  /** Before those of these indexes are started, each with a timer of so many milliseconds. */
  prepare(from: number, to: number, openForMs: number): Promise<void>;
  /** Signals the one of that index, which starts it. */
  start(index: number): Promise<void>;
  progress(): Promise<Progress>;
}

/** Figures of all workflows of one lead together. */
interface Histories {
  events: number;
  workflowTasks: number;
  activities: number;
}

export interface BurstFigures extends Histories {
  temporalMs: number;
  workerMs: number;
  cpuMs: number;
  /** Until both of its events are delivered, or the second activity ran. */
  perSecond: number;
  workflowsPerLead: number;
}

/** What a round starts: the warm-up, the burst and one alone. */
export const startedIn = (leads: number): number => WARM_UP.leads + leads + 1;

/** Visibility is written after the fact. */
const VISIBLE_AFTER_MS = 2000;

/**
 * The burst, and after it one alone, whose histories are read. Processor time counts until the last run is
 * over: what a lead costs is what its whole run costs.
 */
export async function measureBurst(side: BurstSide, leads: number): Promise<BurstFigures> {
  await side.prepare(0, WARM_UP.leads, OPEN_FOR_MS.alone);
  await latencyOf(side.start, { times: WARM_UP.leads, atOnce: START_WIDTH });
  await reached(side, 'ended', WARM_UP.leads);
  await side.prepare(WARM_UP.leads, WARM_UP.leads + leads, OPEN_FOR_MS.burst);
  const [temporalBefore, workerBefore] = [cpuMsOf(side.temporalPid), cpuMsOf(side.workerPid)];
  const startedAtMs = Date.now();
  await latencyOf(side.start, { from: WARM_UP.leads, times: leads, atOnce: START_WIDTH });
  const { lastAtMs } = await reached(side, 'done', WARM_UP.leads + leads);
  await reached(side, 'ended', WARM_UP.leads + leads);
  const temporalMs = (cpuMsOf(side.temporalPid) - temporalBefore) / leads;
  const workerMs = (cpuMsOf(side.workerPid) - workerBefore) / leads;
  return {
    temporalMs,
    workerMs,
    cpuMs: temporalMs + workerMs,
    perSecond: (leads * 1000) / (lastAtMs - startedAtMs),
    ...(await measureOne(side, startedIn(leads))),
  };
}

async function measureOne(side: BurstSide, started: number) {
  await side.prepare(started - 1, started, OPEN_FOR_MS.alone);
  const since = new Date();
  await side.start(started - 1);
  await reached(side, 'ended', started);
  await sleep(VISIBLE_AFTER_MS);
  const { count } = await side.client.workflow.count();
  return { workflowsPerLead: count / started, ...(await readHistories(side.client, since)) };
}

function reached(side: BurstSide, what: 'done' | 'ended', wanted: number): Promise<Progress> {
  const probe = async () => {
    const progress = await side.progress();
    if (progress[what] < wanted) throw new Error(`${progress[what]} of ${wanted} are ${what}`);
    return progress;
  };
  return waitUntil(probe, { what: 'The burst', everyMs: 1000, timeoutMs: BURST_LIMIT_MS });
}

/** Reads the histories of all workflows that were started since then. */
async function readHistories(client: Client, since: Date): Promise<Histories> {
  const sum: Histories = { events: 0, workflowTasks: 0, activities: 0 };
  const query = `StartTime >= "${since.toISOString()}"`;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const event of events ?? []) {
      sum.events += 1;
      if (event.workflowTaskCompletedEventAttributes) sum.workflowTasks += 1;
      if (event.activityTaskScheduledEventAttributes) sum.activities += 1;
    }
  }
  return sum;
}
