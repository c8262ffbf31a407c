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

export type MemoryBench = Awaited<ReturnType<typeof benchMemory>>;

/**
 * What the worker holds in memory while leads come at a steady pace and their runs stay open; or, where `isBehind`,
 * while it works off the same number of leads that came before it was started.
 */
export function benchMemory(
  { env, ...options }: LifecycleOptions,
  { isBehind, ...load }: { perSecond: number; seconds: number; isBehind: boolean },
) {
  return stopAfterwards(async (keep) => {
    const temporalBinary = await embeddedTemporal(env);
    const receiverUrl = await startReceiver(keep, options.folder);
    const setup = { ...options, temporalBinary, receiverUrl };
    const round = isBehind ? 'behind' : 'memory';
    const databaseUrl = await setup.copyDatabase(setup.emptyDatabase, `bench_${round}`);
    const { agency } = await fillDatabase(databaseUrl, receiverUrl, async () => ({}));
    const { address: temporalAddress } = await keep(startRoundTemporal(setup, round));
    const common = { folder: setup.folder, round, agency, databaseUrl, temporalAddress };
    const api = await keep(startServiceApi(common));
    const database = await openDatabase(keep, databaseUrl);
    const since = new Date();
    let people = 0;
    const sendAll = () => paced(() => sendLead(api.url, agency.client.token, (people += 1)), load);
    if (isBehind) await sendAll();
    const worker = await keep(startServiceWorker(common));
    /** Memory of the worker before its first lead, and the most from the last that was sent until all were done. */
    const idleMegabytes = familyMegabytesOf(worker.pid);
    const begunMs = cpuMsOf(worker.pid);
    if (!isBehind) await sendAll();
    let megabytes = 0;
    do {
      await sleep(1000);
      megabytes = Math.max(megabytes, familyMegabytesOf(worker.pid));
    } while ((await countUndone(database, { endpointId: agency.client.endpointId, since })) > 0);
    /** Processor time of the worker. */
    const cpuMsPerLead = (cpuMsOf(worker.pid) - begunMs) / people;
    return { leads: people, idleMegabytes, megabytes, cpuMsPerLead };
  });
}
