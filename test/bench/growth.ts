import pg from 'pg';
import { startTestApi } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';
import { cpuMsOf, familyCpuMsOf } from './cpu.ts';
import { forkServer, type Forked } from './create/forked.ts';
import { fill } from './growth/fill.ts';
import { latencyOf } from './latency.ts';
import { alternate } from './median.ts';
import { openConnections, send, type Message } from './send.ts';

export interface GrowthFigures {
  p50Ms: number;
  nodeMs: number;
  postgresMs: number;
  /** What Postgres writes to its log. */
  walKilobytes: number;
}

export interface GrowthBench {
  operation: string;
  /** Figures by the number of leads. */
  small: GrowthFigures;
  large: GrowthFigures;
}

export const SIZES = [10_000, 1_000_000] as const;
const ROUNDS = 5;
const TIMES = 200;
const WARM_UP = 50;

/** A database of one size behind a service of its own. */
interface Side extends Forked {
  size: number;
  database: pg.Client;
  token: string;
  /** With open merge windows, in no order; each is merged into or updated once. */
  open: Lead[];
  /** Any leads. */
  known: Lead[];
}

interface Lead {
  id: string;
  phone: string;
  email: string;
}

type Send = (side: Side, n: number) => Message;

const OPERATIONS: Record<string, Send> = {
  'create, new person': ({ url, size }, n) => {
    const between = (n * 7919) % size; // anywhere among the phones and e-mails that are known
    const phone = `+97150${1_000_003 + 7 * between}`;
    return { url, method: 'POST', body: enquiry(phone, `buyer${between}x@mail.example`) };
  },
  'create, merged': ({ url, open }, n) => {
    const { phone, email } = at(open, n);
    return { url, method: 'POST', body: enquiry(phone, email) };
  },
  'update, new detail': ({ url, open }, n) => ({
    url: `${url}/${at(open, n).id}`,
    method: 'PATCH',
    body: { budgetMax: String(2_000_000 + n) },
  }),
  'read of an assignment': ({ url, known }, n) => ({
    url: `${url}/${at(known, n).id}/assignment`,
    method: 'GET',
  }),
};

/**
 * What a request costs, one at a time, in a database of 10,000 leads and in one of 1,000,000 on the same
 * Postgres; the rounds of both alternate. Each request is about other leads. `copy` makes a migrated
 * database that nobody uses.
 */
export async function benchGrowth(
  copy: (name: string) => Promise<string>,
  postgresPid: number,
): Promise<GrowthBench[]> {
  const sides: Side[] = [];
  for (const size of SIZES) sides.push(await startSide(await copy(`bench_${size}_leads`), size));
  const works = Object.values(OPERATIONS).flatMap((message) =>
    sides.map((side) => ({ side, message })),
  );
  const medians = await alternate(ROUNDS, works, ({ side, message }, round) =>
    measure(side, message, { round, postgresPid }),
  );
  const results = Object.keys(OPERATIONS).map((operation, at) => {
    const [small, large] = medians.slice(2 * at) as [GrowthFigures, GrowthFigures];
    return { operation, small, large };
  });
  for (const side of sides) {
    await side.database.end();
    await side.stop();
  }
  return results;
}

async function startSide(url: string, size: number): Promise<Side> {
  const api = await startTestApi({ databaseUrl: url });
  await seedReference(api.database);
  await api.stop();
  await fill(url, size);
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  const leads = async (condition: string) =>
    (
      await database.query<Lead>(
        `select id, lead_phones[1] as phone, lead_emails[1] as email from leads where ${condition}
         order by random() limit ${(ROUNDS + 1) * (TIMES + WARM_UP)}`,
      )
    ).rows;
  return {
    ...(await forkServer('service.ts', { DATABASE_URL: url })),
    size,
    database,
    token: api.client.token,
    open: await leads('merge_window_closed_at is null'),
    known: await leads('true'),
  };
}

async function measure(
  side: Side,
  message: Send,
  { round, postgresPid }: { round: number; postgresPid: number },
): Promise<GrowthFigures> {
  const { token, pid, database } = side;
  const agent = openConnections();
  const work = (n: number) => send(message(side, n), { token, agent });
  const from = round * (WARM_UP + TIMES);
  await latencyOf(work, { from, times: WARM_UP, atOnce: 1 });
  const before = {
    node: cpuMsOf(pid),
    postgres: familyCpuMsOf(postgresPid),
    wal: await walBytes(database),
  };
  const { p50Ms } = await latencyOf(work, { from: from + WARM_UP, times: TIMES, atOnce: 1 });
  agent.destroy();
  return {
    p50Ms,
    nodeMs: (cpuMsOf(pid) - before.node) / TIMES,
    postgresMs: (familyCpuMsOf(postgresPid) - before.postgres) / TIMES,
    walKilobytes: ((await walBytes(database)) - before.wal) / 1024 / TIMES,
  };
}

async function walBytes(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ bytes: string }>(
    `select pg_current_wal_insert_lsn() - '0/0' as bytes`,
  );
  return Number(rows[0]?.bytes);
}

function at<T>(items: readonly T[], n: number): T {
  const item = items[n];
  if (item === undefined) throw new Error('Too few leads for these rounds.');
  return item;
}

function enquiry(phone: string, email: string): object {
  return {
    leadPhones: [phone],
    leadEmails: [email],
    leadFirstName: 'عائشة',
    source: 'Website',
    utmSource: 'google',
    utmCampaign: 'spring',
    initialInquiry: 'Two bedrooms with a sea view, please.',
  };
}
