import type pg from 'pg';
import { signalLead } from '../../../temporal/lead-lifecycle-client.ts';
import { latencyOf } from '../harness.ts';
import { fillDatabase, sendLead, type Agency } from './agency.ts';
import { measureBurst, startedIn, type BurstFigures, type BurstSide } from './burst.ts';
import {
  openClient,
  openDatabase,
  startRoundTemporal,
  startServiceWorker,
  type LifecycleSetup,
} from './setup.ts';
import { BURST, EXPECTED_PER_SECOND, START_WIDTH } from './settings.ts';
import { stopAfterwards } from './stoppable.ts';

/** Leads that the API has taken in and that no workflow knows of. */
export interface WaitingLeads {
  url: string;
  agency: Agency;
  ids: readonly string[];
}

/** An hour: a lead that waits for its burst to begin is not a forgotten one. */
const variables = { RECONCILE_AFTER_SECONDS: '3600' };

/** Once for all rounds: each works on a copy. */
export async function prepareLeads(setup: LifecycleSetup): Promise<WaitingLeads> {
  const url = await setup.copyOf(setup.emptyUrl, 'bench_lifecycle_leads');
  const { agency, ids } = await fillDatabase(url, setup.receiverUrl, async (api, { client }) => {
    const send = (index: number) => sendLead(api.url, client.token, index);
    await latencyOf(send, { times: startedIn(BURST.leads), atOnce: START_WIDTH });
    // A lead without a row in the outbox is signalled by nobody else.
    await api.database.query('delete from lead_outbox');
    await api.database.query('analyze');
    const leads = await api.database.query<{ id: string }>('select id from leads');
    return { ids: leads.map(({ id }) => id) };
  });
  return { url, agency, ids };
}

export function benchServiceBurst(
  setup: LifecycleSetup,
  { url, agency, ids }: WaitingLeads,
  { leads, round }: { leads: number; round: string },
): Promise<BurstFigures> {
  return stopAfterwards(async (keep) => {
    const databaseUrl = await setup.copyOf(url, `bench_lifecycle_${round}`);
    const temporal = await keep(startRoundTemporal(setup, round));
    const { address: temporalAddress } = temporal;
    const { folder } = setup;
    const options = { folder, round, agency, databaseUrl, temporalAddress, variables };
    const worker = await keep(startServiceWorker(options));
    const client = await openClient(keep, temporalAddress);
    const database = await openDatabase(keep, databaseUrl);
    const side: BurstSide = {
      client,
      temporalPid: temporal.pid,
      workerPid: worker.pid,
      start: (index) => signalLead(client, ids[index] ?? '', 'created'),
      prepare: (from, to, openForMs) => openWindows(database, ids.slice(from, to), openForMs),
      progress: () => readProgress(database),
    };
    return measureBurst(side, leads);
  });
}

/** A lead is done once both of its events are delivered; the `at` of an attempt is its beginning. */
const PROGRESS_SQL = `
  select
    (select count(*)::int / 2 from webhook_deliveries where status = 'delivered') as done,
    (select extract(epoch from max(at + latency_ms * interval '1 millisecond'))::float8 * 1000
     from webhook_attempts) as "lastAtMs",
    (select count(*)::int from leads where merge_window_closed_at is not null) as ended`;

/** As if the leads came in one after the other from now on, each with a short merge window. */
const OPEN_WINDOWS_SQL = `
  update leads set merge_window_ends_at = now() + ($2 + nr * $3) * interval '1 millisecond'
  from unnest($1::uuid[]) with ordinality as sent (lead_id, nr) where id = lead_id`;

async function openWindows(database: pg.Client, ids: readonly string[], openForMs: number) {
  await database.query(OPEN_WINDOWS_SQL, [ids, openForMs, 1000 / EXPECTED_PER_SECOND]);
}

async function readProgress(database: pg.Client): ReturnType<BurstSide['progress']> {
  const { rows } = await database.query(PROGRESS_SQL);
  return rows[0];
}
