import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedTemporal, type LifecycleOptions } from './lifecycle.ts';
import { cpuMsOf, familyMegabytesOf } from './cpu.ts';
import { fillDatabase } from './lifecycle/agency.ts';
import { openDatabase } from './lifecycle/connections.ts';
import { countUndone } from './lifecycle/delays.ts';
import { sendLead } from './lifecycle/leads.ts';
import { paced } from './lifecycle/paced.ts';
import { startRoundTemporal, startServiceApi, startServiceWorker } from './lifecycle/setup.ts';
import { startReceiver } from './lifecycle/receiver-program.ts';
import { stopAfterwards } from './lifecycle/stoppable.ts';

export interface MemoryBench {
  leads: number;
  /** Of the worker, before the first lead and after the last. */
  idleMegabytes: number;
  megabytes: number;
  /** Processor time of the worker. */
  cpuMsPerLead: number;
}

/** What the worker holds in memory while leads come at a steady pace and their runs stay open. */
export function benchMemory(
  { env, ...options }: LifecycleOptions,
  load: { perSecond: number; seconds: number },
): Promise<MemoryBench> {
  return stopAfterwards(async (keep) => {
    const temporalBinary = await embeddedTemporal(env);
    const receiverUrl = await startReceiver(keep, options.folder);
    const setup = { ...options, temporalBinary, receiverUrl };
    const databaseUrl = await setup.copyDatabase(setup.emptyDatabase, 'bench_memory');
    const { agency } = await fillDatabase(databaseUrl, receiverUrl, async () => ({}));
    const { address: temporalAddress } = await keep(startRoundTemporal(setup, 'memory'));
    const common = { folder: setup.folder, round: 'memory', agency, databaseUrl, temporalAddress };
    const worker = await keep(startServiceWorker(common));
    const api = await keep(startServiceApi(common));
    const database = await openDatabase(keep, databaseUrl);
    const idleMegabytes = familyMegabytesOf(worker.pid);
    const begunMs = cpuMsOf(worker.pid);
    const since = new Date();
    let people = 0;
    await paced(() => sendLead(api.url, agency.client.token, (people += 1)), load);
    while ((await countUndone(database, { endpointId: agency.client.endpointId, since })) > 0)
      await sleep(200);
    return {
      ...{ leads: people, idleMegabytes, megabytes: familyMegabytesOf(worker.pid) },
      cpuMsPerLead: (cpuMsOf(worker.pid) - begunMs) / people,
    };
  });
}
