import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import Table from 'cli-table3';
import pg from 'pg';
import { startPostgres } from '../../dev/postgres.ts';
import { createDatabase } from '../../store/database.ts';
import { migrate } from '../../store/migrator.ts';
import { connectOrm } from '../../store/orm.ts';
import { benchCreate } from './create.ts';
import type { CreateBench } from './create.ts';
import { benchDncrCached } from './dncr-cached.ts';
import { benchImport } from './import.ts';
import type { ImportBench } from './import.ts';
import type { Latency } from './latency.ts';
import { benchReads } from './reads.ts';
import type { ReadBench } from './reads.ts';

const STYLE = { head: [], border: [], compact: true };

/** `npm run bench`: every part beside a floor measured in the same run, on a Postgres of its own. */
const folder = await mkdtemp(path.join(os.tmpdir(), 'lead-intake-bench-'));
const postgres = await startPostgres({ dataDir: path.join(folder, 'postgres') });
try {
  await migrate(postgres.databaseUrl);
  const makeCopy = (name: string) => copyOf(postgres.databaseUrl, name);
  const dncr = await makeCopy('bench_dncr');
  showCreate(await benchCreate(postgres.databaseUrl, makeCopy));
  await showDncr(dncr);
  const imports = await benchImport(folder, makeCopy);
  showImport(imports);
  showReads(await benchReads(imports.at(-1)?.url ?? ''));
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function copyOf(url: string, name: string): Promise<string> {
  const { pathname } = new URL(url);
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') });
  await client.connect();
  await client.query(`create database ${name} template ${pathname.slice(1)}`);
  await client.end();
  return withDatabase(url, name);
}

function withDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

function showCreate(results: readonly CreateBench[]): void {
  const head = ['create', 'at once', 'p50 ms', 'p99 ms', 'per s', 'p50 ×', 'p99 ×', 'per s ×'];
  const table = new Table({ head, style: STYLE });
  for (const { atOnce, driver, http, create } of results) {
    table.push(rowOf('bare driver', atOnce, driver, driver));
    table.push(rowOf('behind node:http', atOnce, http, driver));
    table.push(rowOf('this service', atOnce, create, driver));
  }
  print(table.toString());
}

/** The last columns compare with the bare driver. */
function rowOf(name: string, atOnce: number, found: Latency, floor: Latency) {
  const times = (a: number, b: number) => (a / b).toFixed(2);
  return [
    ...[name, atOnce, found.p50Ms.toFixed(2), found.p99Ms.toFixed(2), Math.round(found.perSecond)],
    ...[times(found.p50Ms, floor.p50Ms), times(found.p99Ms, floor.p99Ms)],
    times(found.perSecond, floor.perSecond),
  ];
}

async function showDncr(url: string): Promise<void> {
  const database = await createDatabase(await connectOrm({ url, poolSize: 4 }));
  const { floor, checks, ratio } = await benchDncrCached(database, { url });
  await database.close();
  print(
    `cached DNCR check of 20 numbers: ${checks} per s, bare query ${floor} per s, ×${ratio.toFixed(2)}`,
  );
}

function showImport(results: readonly ImportBench[]): void {
  for (const { listings, seconds, peakMegabytes } of results)
    print(
      `import with ${listings} listings: ${seconds.toFixed(0)} s, ${peakMegabytes} MB at its peak`,
    );
}

function showReads(results: readonly ReadBench[]): void {
  const head = ['read', 'bytes', 'statements ms', 'bare HTTP ms', 'this service ms', '× both'];
  const table = new Table({ head, style: STYLE });
  for (const { path: read, bytes, driver, http, service } of results) {
    const spans = [driver, http, service].map(({ p50Ms }) => p50Ms.toFixed(2));
    const ratio = service.p50Ms / (driver.p50Ms + http.p50Ms);
    table.push([read, bytes, ...spans, ratio.toFixed(2)]);
  }
  print(table.toString());
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
