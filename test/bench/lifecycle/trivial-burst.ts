import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { freePort } from '../../../dev/ports.ts';
import { measureBurst, type BurstFigures, type BurstSide } from './burst.ts';
import { openClient } from './connections.ts';
import { startProgram } from './program.ts';
import { OPEN_FOR_MS } from './settings.ts';
import { startRoundTemporal, type LifecycleSetup } from './setup.ts';
import { stopAfterwards } from './stoppable.ts';
import { BEGIN_SIGNAL, trivialQueues, type TrivialProgress } from './trivial/messages.ts';
import type { Trivial } from './trivial/workflow.ts';

/** The same burst of a workflow that does nothing, on a server and a worker process of its own. */
export function benchTrivialBurst(
  setup: LifecycleSetup,
  { leads, round }: { leads: number; round: string },
): Promise<BurstFigures> {
  return stopAfterwards(async (keep) => {
    const temporal = await keep(startRoundTemporal(setup, round));
    const port = await freePort();
    const worker = await keep(
      startProgram({
        ...{ name: `worker-${round}`, folder: setup.folder, readyPort: port },
        entry: 'test/bench/lifecycle/trivial/worker.ts',
        args: [temporal.address, String(port)],
      }),
    );
    const client = await openClient(keep, temporal.address);
    const side: BurstSide = {
      client,
      temporalPid: temporal.pid,
      workerPid: worker.pid,
      start: () => startTrivial(client),
      async progress() {
        const answer = await fetch(`http://127.0.0.1:${port}/`);
        return (await answer.json()) as TrivialProgress;
      },
    };
    return measureBurst(side, leads);
  });
}

async function startTrivial(client: Client): Promise<void> {
  await client.workflow.signalWithStart<typeof Trivial>('Trivial', {
    workflowId: `trivial/${randomUUID()}`,
    taskQueue: trivialQueues.first,
    args: [OPEN_FOR_MS],
    signal: BEGIN_SIGNAL,
    signalArgs: [],
  });
}
