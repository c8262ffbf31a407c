import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { fillDatabase, type Agency } from './agency.ts';
import { openDatabase } from './connections.ts';
import { countUndone, readDelays, type Delays, type Leads } from './delays.ts';
import { sendLead } from './leads.ts';
import { paced } from './paced.ts';
import {
  startRoundTemporal,
  startServiceApi,
  startServiceWorker,
  type LifecycleSetup,
} from './setup.ts';
import { DRAIN_SECONDS, WARM_UP } from './settings.ts';
import { stopAfterwards } from './stoppable.ts';

export interface SteadyFigures extends Delays {
  /** Leads that were not done when the last had just been sent. */
  undone: number;
  /** Those that were not done after the drain either; their delays so far count. */
  undoneLater: number;
}

export interface Load {
  seconds: number;
  perSecond: number;
  /** Leads of another client, whose endpoint answers or hangs. */
  other?: { perSecond: number; hangs: boolean };
}

/** Leads at a steady pace through the API process and the worker process, as installed. */
export function benchSteady(
  setup: LifecycleSetup,
  load: Load,
  round: string,
): Promise<SteadyFigures> {
  return stopAfterwards(async (keep) => {
    const databaseUrl = await setup.copyDatabase(setup.emptyDatabase, `bench_lifecycle_${round}`);
    const { agency } = await fillDatabase(databaseUrl, setup.receiverUrl, async () => ({}));
    const { address: temporalAddress } = await keep(startRoundTemporal(setup, round));
    const options = { folder: setup.folder, round, agency, databaseUrl, temporalAddress };
    await keep(startServiceWorker(options));
    const api = await keep(startServiceApi(options));
    const database = await openDatabase(keep, databaseUrl);
    return measure(api.url, database, agency, load);
  });
}

/** The two endpoints differ only in the path of the one that never responds. */
const ANSWER_SQL = `update webhook_endpoints set url = replace(url, '/hang', '/hooks') where id = $1`;

async function measure(
  apiUrl: string,
  database: pg.Client,
  { client, hanging }: Agency,
  { seconds, perSecond, other }: Load,
): Promise<SteadyFigures> {
  if (!other?.hangs) await database.query(ANSWER_SQL, [hanging.endpointId]);
  let people = 0;
  const send = ({ token }: Agency['client']) => sendLead(apiUrl, token, (people += 1));
  await paced(() => send(client), { perSecond, seconds: WARM_UP.seconds });
  const leads = { endpointId: client.endpointId, since: new Date() };
  await Promise.all([
    paced(() => send(client), { perSecond, seconds }),
    paced(() => send(hanging), { perSecond: other?.perSecond ?? 0, seconds }),
  ]);
  const undone = await countUndone(database, leads);
  const undoneLater = await drain(database, leads);
  return { undone, undoneLater, ...(await readDelays(database, leads)) };
}

/** Waits for the end of the backlog, up to a limit; returns how many are still undone. */
async function drain(database: pg.Client, leads: Leads): Promise<number> {
  const deadline = Date.now() + DRAIN_SECONDS * 1000;
  for (;;) {
    const undone = await countUndone(database, leads);
    if (undone === 0 || Date.now() > deadline) return undone;
    await sleep(200);
  }
}
