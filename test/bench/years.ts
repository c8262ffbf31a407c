import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { connectDatabase } from '../../store/db/database.ts';
import { startTestApi } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';
import { startCpu } from './cpu.ts';
import { print, printTable, type Place } from './harness.ts';
import { explainAll } from './years/explained.ts';
import { TABLES } from './years/fill.ts';
import { prepareYears } from './years/prepare.ts';
import { leadctlReads, loops, maintenance, type Work } from './years/work.ts';

const DAYS = 730;
/** Texts of statements that take longer are printed. */
const LONG_MS = 50;

/** The purges remove a tenth of what is there. `BENCH_LEADS` is the number of leads. */
export async function benchYears(place: Place): Promise<void> {
  const { folder, emptyUrl, postgresPid, env } = place;
  const leads = Number(env['BENCH_LEADS'] ?? 1_500_000);
  const url = await place.copyOf(emptyUrl, 'bench_years');
  const api = await startTestApi({ databaseUrl: url });
  await seedReference(api.database);
  const began = performance.now();
  const prepared = await prepareYears(api, url, { leads, days: DAYS });
  const fillSeconds = (performance.now() - began) / 1000;
  const { clientId } = api.client;
  await api.stop();
  print(`${leads} leads of ${DAYS} days, filled in ${fillSeconds.toFixed(0)} s`);
  printTable(['table', 'bytes a lead'], await bytesOf(url, leads));
  const explained = await explainAll(url, path.join(folder, 'postgres.log'));
  // As the worker's: it plans each statement at each call, unlike the API.
  const database = await connectDatabase({ url, poolSize: 4 });
  const subjects = {
    url,
    database,
    clientId,
    ...prepared,
    email: prepared.agents[0]?.email ?? '',
    rulesFile: path.join(folder, 'rules.json'),
  };
  const all: Work = {
    ...(await leadctlReads(subjects)),
    ...loops(subjects),
    ...maintenance(subjects, DAYS),
  };
  const rows: (string | number)[][] = [];
  const long: string[] = [];
  for (const [name, run] of Object.entries(all)) {
    const cpu = startCpu(process.pid, postgresPid);
    const start = performance.now();
    const statements = await explained.during(run);
    const seconds = (performance.now() - start) / 1000;
    const { nodeMs, postgresMs } = cpu(1000);
    const [slowest] = statements.toSorted((a, b) => b.ms - a.ms);
    const scanned = new Set(statements.flatMap((statement) => statement.scanned));
    rows.push([
      name,
      seconds.toFixed(2),
      (nodeMs + postgresMs).toFixed(2),
      statements.length,
      slowest?.ms.toFixed(0) ?? '',
      TABLES.filter((table) => scanned.has(table)).join(' '),
    ]);
    if (slowest && slowest.ms > LONG_MS)
      long.push(`\n${name}: ${slowest.ms.toFixed(0)} ms\n${slowest.text}`);
  }
  await explained.close();
  await database.close();
  printTable(['work', 's', 'CPU s', 'statements', 'slowest ms', 'read as a whole'], rows);
  for (const text of long) print(text);
}

/** With indexes, for each lead, where it is worth a line. */
async function bytesOf(url: string, leads: number): Promise<[name: string, bytes: number][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc`,
  );
  await client.end();
  return rows
    .map(({ name, bytes }): [string, number] => [name, Math.round(Number(bytes) / leads)])
    .filter(([, each]) => each >= 10);
}
