import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { waitUntil } from '../../dev/wait-until.ts';
import { connectDatabase } from '../../store/db/database.ts';
import { startTestApi } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { seedReference } from '../support/reference.ts';
import { TABLES, type YearsFill } from './years/fill.ts';
import { prepareYears } from './years/prepare.ts';
import { leadctlReads, loops, type Work } from './years/work.ts';

/** As many leads a day: a read of the last days finds as many in both. */
const SHORT = { leads: 3_000, days: 180 };
const LONG = { leads: 12_000, days: 720 };
/** An index that has grown is a page deeper, and of few pages a planner reads all. */
const mostPages = (before: number) => 2 * before + 300;
/** What asks for all, or what no index is for. */
const READS_ALL = [
  'leadctl report response --by hour --since 730d',
  'leadctl dncr show 0501000007',
  // A reference may contain the phone anywhere.
  'leadctl person erase +971501000007 --dry-run',
];
/** Their lists are counted up to ten thousand, which this fill does not have. */
const COUNTS = 'leadctl webhook deliveries';
/** A report of the last 30 days. It looks each lead up, or reads all if that is less. */
const LOOKS_UP = 'leadctl report response';
const PAGES_OF_LEAD = 6;

interface WorkPages {
  name: string;
  pages: number;
}

let folder: string;
let short: WorkPages[];
let long: WorkPages[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lead-intake-years-'));
  short = await pagesOfWork(SHORT);
  long = await pagesOfWork(LONG);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('after 720 days each command and loop reads about as many pages as after 180', () => {
  expect(long).toHaveLength(short.length);
  const grown = long
    .map(({ name, pages }, at) => ({ name, pages, most: mostPagesOf(name, short[at]?.pages ?? 0) }))
    .filter(({ pages, most }) => pages > most);
  expect(grown).toEqual([]);
});

function mostPagesOf(name: string, before: number): number {
  if (READS_ALL.includes(name) || name.startsWith(COUNTS)) return Infinity;
  const lookedUp = name === LOOKS_UP ? (30 * LONG.leads * PAGES_OF_LEAD) / LONG.days : 0;
  return Math.max(mostPages(before), lookedUp);
}

/** The pages that each work reads of tables that grow and of their indexes, in a database of its own. */
async function pagesOfWork(fill: YearsFill): Promise<WorkPages[]> {
  const { url, adminUrl, drop } = await createTestDatabase();
  const api = await startTestApi({ databaseUrl: url });
  await seedReference(api.database);
  const prepared = await prepareYears(api, adminUrl, fill);
  const { clientId } = api.client;
  await api.stop();
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const readPages = async () => {
    await alone(client);
    const { rows } = await client.query<{ pages: string }>(PAGES_SQL, [TABLES]);
    return Number(rows[0]?.pages);
  };
  const work: WorkPages[] = [];
  for (const name of Object.keys(await workOf('none'))) {
    const before = await readPages();
    await workOf(name);
    work.push({ name, pages: (await readPages()) - before });
  }
  await client.end();
  await drop();
  return work;

  /** All work, after that of a name was done on connections of its own: these tell what they read when they close. */
  async function workOf(wanted: string): Promise<Work> {
    const database = await connectDatabase({ url, poolSize: 1, connectTimeoutMs: 60_000 });
    const subjects = {
      url,
      database,
      clientId,
      ...prepared,
      email: prepared.agents[0]?.email ?? '',
      rulesFile: path.join(folder, 'rules.json'),
    };
    const all = { ...(await leadctlReads(subjects)), ...loops(subjects) };
    await all[wanted]?.();
    await database.close();
    return all;
  }
}

async function alone(client: pg.Client): Promise<void> {
  await waitUntil(
    async () => {
      const { rows } = await client.query(
        `select pid from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
      expect(rows).toEqual([]);
    },
    { what: 'The end of the connections' },
  );
}

const PAGES_SQL = `
select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)) as pages
from pg_statio_user_tables where relname = any ($1)`;
