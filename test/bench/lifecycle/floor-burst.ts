import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { freePort } from '../../../dev/ports.ts';
import { prepareNamespace } from '../../../worker/prepare-namespace.ts';
import { measureBurst, type BurstFigures, type BurstSide } from './burst.ts';
import { BEGIN_SIGNAL, floorQueues, type FloorProgress } from './floor/messages.ts';
import type { Floor } from './floor/workflow.ts';
import { startProgram } from './program.ts';
import type { WaitingLeads } from './service-burst.ts';
import { EXPECTED_PER_SECOND } from './settings.ts';
import { openClient, startRoundTemporal, type LifecycleSetup } from './setup.ts';
import { stopAfterwards } from './stoppable.ts';

/**
 * The same burst of a workflow that does nothing, or that does for `waiting` leads what a lead needs at least, on a
 * server and a worker process of its own.
 */
export function benchFloorBurst(
  setup: LifecycleSetup,
  { leads, round, waiting }: { leads: number; round: string; waiting?: WaitingLeads },
): Promise<BurstFigures> {
  return stopAfterwards(async (keep) => {
    const temporal = await keep(startRoundTemporal(setup, round));
    const client = await openClient(keep, temporal.address);
    await prepareNamespace(client);
    const port = await freePort();
    const database = waiting ? [await setup.copyOf(waiting.url, `bench_lifecycle_${round}`)] : [];
    const worker = await keep(
      startProgram({
        name: `worker-${round}`,
        folder: setup.folder,
        readyPort: port,
        entry: 'test/bench/lifecycle/floor/worker.ts',
        args: [temporal.address, String(port), ...database],
      }),
    );
    const endsAtMs: number[] = [];
    const side: BurstSide = {
      client,
      temporalPid: temporal.pid,
      workerPid: worker.pid,
      prepare(from, to, openForMs) {
        const firstAtMs = Date.now() + openForMs;
        for (let index = from; index < to; index += 1)
          endsAtMs[index] = firstAtMs + ((index - from) * 1000) / EXPECTED_PER_SECOND;
        return Promise.resolve();
      },
      start: (index) =>
        startFloor(client, waiting?.ids[index] ?? randomUUID(), endsAtMs[index] ?? 0),
      async progress() {
        const answer = await fetch(`http://127.0.0.1:${port}/`);
        return (await answer.json()) as FloorProgress;
      },
    };
    return measureBurst(side, leads);
  });
}

async function startFloor(client: Client, leadId: string, endsAtMs: number): Promise<void> {
  await client.workflow.signalWithStart<typeof Floor>('Floor', {
    workflowId: `floor/${leadId}`,
    taskQueue: floorQueues.first,
    args: [leadId, endsAtMs],
    signal: BEGIN_SIGNAL,
    signalArgs: [],
  });
}
