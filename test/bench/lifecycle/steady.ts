import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { paced } from '../harness.ts';
import { fillDatabase, sendLead, type Agency } from './agency.ts';
import {
  openDatabase,
  startRoundTemporal,
  startServiceApi,
  startServiceWorker,
  type LifecycleSetup,
} from './setup.ts';
import { DRAIN_SECONDS, WARM_UP } from './settings.ts';
import { stopAfterwards } from './stoppable.ts';

/** The leads of one client since a moment. */
interface Leads {
  endpointId: string;
  since: Date;
}

interface Delays {
  assignedP50Ms: number;
  assignedP99Ms: number;
  deliveredP50Ms: number;
  deliveredP99Ms: number;
}

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
    const databaseUrl = await setup.copyOf(setup.emptyUrl, `bench_lifecycle_${round}`);
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

const LEADS = `leads l join webhook_endpoints p on p.client_id = l.client_id
  where p.id = $1 and l.created_at >= $2`;

const UNDONE_SQL = `select count(*)::int as count from ${LEADS} and (
  select count(*) from webhook_deliveries d where d.lead_id = l.id and d.status = 'delivered') < 2`;

/** How many have not had both of their webhooks delivered. */
async function countUndone(database: pg.Client, leads: Leads): Promise<number> {
  const { rows } = await database.query(UNDONE_SQL, [leads.endpointId, leads.since]);
  return rows[0].count;
}

const percentiles = (span: string) =>
  `percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from ${span}) * 1000) as ms`;

// A lead that is not assigned yet counts as if it were assigned now, and so does a delivery below.
const ASSIGNED_SQL = `
  select ${percentiles('coalesce(a.decided_at, $3) - created_at')}
  from (select l.id, l.created_at from ${LEADS}) l
  left join assignments a on a.lead_id = l.id and a.move = 0`;

// `finished_at` is the beginning of the last attempt; the call itself belongs to the delay.
const DELIVERED_SQL = `
  select ${percentiles(`case when d.status = 'delivered'
    then greatest(d.finished_at, t.at + t.latency_ms * interval '1 millisecond') else $3 end - d.created_at`)}
  from webhook_deliveries d left join lateral (
    select at, latency_ms from webhook_attempts t
    where (t.event_id, t.endpoint_id) = (d.event_id, d.endpoint_id)
    order by at desc limit 1) t on true
  where d.endpoint_id = $1 and d.created_at >= $2`;

/** From the lead's creation to its assignment, and from an event to its delivered webhook. */
async function readDelays(database: pg.Client, leads: Leads): Promise<Delays> {
  const values = [leads.endpointId, leads.since, new Date()];
  const read = async (sql: string) => (await database.query(sql, values)).rows[0].ms as number[];
  const [assignedP50Ms = NaN, assignedP99Ms = NaN] = await read(ASSIGNED_SQL);
  const [deliveredP50Ms = NaN, deliveredP99Ms = NaN] = await read(DELIVERED_SQL);
  return { assignedP50Ms, assignedP99Ms, deliveredP50Ms, deliveredP99Ms };
}
