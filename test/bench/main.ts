import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { startPostgres } from '../../dev/postgres.ts';
import { migrate } from '../../store/db/migrator.ts';
import { withDatabase } from '../support/database.ts';
import { benchCreate, type CreateBench, type CreateFigures } from './create.ts';
import { benchFair, type FairBench } from './fair.ts';
import { benchFlood, type FloodBench } from './flood.ts';
import { benchGrowth, SIZES, type GrowthBench } from './growth.ts';
import { benchImport, type ImportBench } from './import.ts';
import { benchLifecycle, type LifecycleOptions } from './lifecycle.ts';
import { showLifecycle } from './lifecycle/tables.ts';
import { benchNine, type NineBench } from './nine.ts';
import { benchReads, type ReadBench } from './reads.ts';
import { benchReplay, type ReplayBench } from './replay.ts';
import { print, printTable } from './table.ts';
import { benchTeams, type TeamsBench, type TeamsFigures } from './teams.ts';
import { benchYears, type YearsBench } from './years.ts';

interface Place {
  folder: string;
  /** A migrated, empty database that nobody uses. */
  emptyUrl: string;
  postgresPid: number;
  lifecycle: LifecycleOptions;
}

/* eslint-disable no-restricted-properties -- for a shorter or a longer look */
/** A checkout of an earlier release, to compare creates with. */
const PREVIOUS = process.env.BENCH_PREVIOUS;
const WAITING = Number(process.env.BENCH_WAITING ?? 1000);
const LEADS = Number(process.env.BENCH_LEADS ?? 1_500_000);
/* eslint-enable no-restricted-properties */

/** Each works on copies of the empty database, so that they may run alone and in any order. */
const parts: Record<string, (place: Place) => Promise<void>> = {
  create: async ({ emptyUrl, postgresPid }) => {
    let databases = 0;
    const empty = () => copyOf(withDatabase(emptyUrl, 'template1'), `bench_create${databases++}`);
    showCreate(await benchCreate({ empty, postgresPid, previous: PREVIOUS }));
  },
  growth: async ({ emptyUrl, postgresPid }) =>
    showGrowth(await benchGrowth((name) => copyOf(emptyUrl, name), postgresPid)),
  /** With the reads of what was imported. */
  import: async ({ folder, emptyUrl }) => {
    const imports = await benchImport(folder, (name) => copyOf(emptyUrl, name));
    showImport(imports);
    showReads(await benchReads(imports.at(-1)?.url ?? ''));
  },
  fair: async ({ emptyUrl }) => showFair(await benchFair(await copyOf(emptyUrl, 'bench_fair'))),
  flood: async ({ emptyUrl }) => showFlood(await benchFlood(await copyOf(emptyUrl, 'bench_flood'))),
  replay: async ({ folder }) => showReplay(await benchReplay(folder)),
  nine: async ({ lifecycle }) => showNine(await benchNine(lifecycle, WAITING)),
  teams: async ({ emptyUrl, postgresPid }) =>
    showTeams(await benchTeams(await copyOf(emptyUrl, 'bench_teams'), postgresPid)),
  years: async ({ folder, emptyUrl, postgresPid }) => {
    const url = await copyOf(emptyUrl, 'bench_years');
    const server = { logFile: path.join(folder, 'postgres.log'), postgresPid };
    showYears(await benchYears(url, server, { leads: LEADS, days: 730 }));
  },
  lifecycle: async ({ lifecycle }) => showLifecycle(await benchLifecycle(lifecycle)),
};

/**
 * `npm run bench [-- part …]`: every part, or those named, beside a floor measured in the same run, on a
 * Postgres of its own.
 */
async function main(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0)
    throw new Error(`No part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lead-intake-bench-'));
  await chmod(folder, 0o755); // Postgres may run as another account
  const postgres = await startPostgres({ dataDir: path.join(folder, 'postgres') });
  try {
    const { superuserUrl: emptyUrl, pid: postgresPid } = postgres;
    await migrate(emptyUrl);
    // eslint-disable-next-line no-restricted-properties -- an entry point
    const { env } = process;
    const lifecycle = { folder, emptyDatabase: emptyUrl, copyDatabase: copyOf, env };
    for (const [name, run] of Object.entries(parts))
      if (wanted.length === 0 || wanted.includes(name))
        await run({ folder, emptyUrl, postgresPid, lifecycle });
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyOf(url: string, name: string): Promise<string> {
  const { pathname } = new URL(url);
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') });
  await client.connect();
  await client.query(`create database ${name} template ${pathname.slice(1)}`);
  await client.end();
  return withDatabase(url, name);
}

function showCreate(results: readonly CreateBench[]): void {
  const head = [
    'create',
    'at once',
    'clients',
    'p50 ms',
    'p99 ms',
    'per s',
    'Node ms',
    'Postgres ms',
    'CPU ms',
  ];
  const rows = results.flatMap(({ atOnce, clients, floor, service, previous }) => {
    const own = compared(numbersOf(floor), numbersOf(service));
    const [, ...earlier] = previous ? compared(numbersOf(floor), numbersOf(previous)) : [];
    return [...own, ...earlier].map((texts, index) => [
      ['floor', 'this service', '×', 'previous release', '×'][index] ?? '',
      atOnce,
      clients,
      ...texts,
    ]);
  });
  printTable(head, rows);
}

const numbersOf = ({ p50Ms, p99Ms, perSecond, nodeMs, postgresMs }: CreateFigures) => [
  p50Ms,
  p99Ms,
  perSecond,
  nodeMs,
  postgresMs,
  nodeMs + postgresMs,
];

/** The figures of both sides, and how many times the first one's the second one's are. */
function compared(floor: readonly number[], own: readonly number[]): string[][] {
  const ratios = own.map((value, index) => value / (floor[index] ?? NaN));
  return [floor, own, ratios].map((values) => values.map((value) => value.toFixed(2)));
}

function showGrowth(results: readonly GrowthBench[]): void {
  const head = ['', 'leads', 'p50 ms', 'Node ms', 'Postgres ms', 'WAL KB', 'CPU ms'];
  const numbers = ({ p50Ms, nodeMs, postgresMs, walKilobytes }: GrowthBench['small']) => [
    p50Ms,
    nodeMs,
    postgresMs,
    walKilobytes,
    nodeMs + postgresMs,
  ];
  const rows = results.flatMap(({ operation, small, large }) => {
    const shown = compared(numbers(small), numbers(large));
    return shown.map((texts, index) => [operation, SIZES[index] ?? '×', ...texts]);
  });
  printTable(head, rows);
}

function showImport(results: readonly ImportBench[]): void {
  for (const { listings, seconds, peakMegabytes } of results)
    print(
      `import with ${listings} listings: ${seconds.toFixed(0)} s, ${peakMegabytes} MB at its peak`,
    );
}

function showReads(results: readonly ReadBench[]): void {
  const head = ['read', 'bytes', 'statements ms', 'bare HTTP ms', 'this service ms', '× both'];
  const rows = results.map(({ path: read, bytes, driver, http, service }) => {
    const spans = [driver, http, service].map(({ p50Ms }) => p50Ms.toFixed(2));
    const ratio = service.p50Ms / (driver.p50Ms + http.p50Ms);
    return [read, bytes, ...spans, ratio.toFixed(2)];
  });
  printTable(head, rows);
}

function showReplay(results: readonly ReplayBench[]): void {
  const rows = results.map(({ runs, seconds, cpuSeconds, peakMegabytes }) => [
    runs,
    seconds.toFixed(0),
    cpuSeconds.toFixed(0),
    peakMegabytes,
  ]);
  printTable(['runs replayed', 's', 'CPU s', 'MB at the peak'], rows);
}

function showNine(bench: NineBench): void {
  const { waiting, alone, beside, placedPerSecond, longestTransactionMs, calledTwice } = bench;
  const rows = Object.entries({ alone, beside }).map(([name, { p50Ms, p95Ms, maxMs }]) => [
    name,
    ...[p50Ms, p95Ms, maxMs].map((ms) => ms.toFixed(0)),
  ]);
  printTable([`another lead's owner, ${waiting} due at one minute`, 'p50 ms', 'p95', 'max'], rows);
  const rate = `${placedPerSecond.toFixed(1)} placed per s`;
  const longest = `longest transaction ${longestTransactionMs.toFixed(0)} ms`;
  print(`${rate}, ${longest}, ${calledTwice} webhooks called twice`);
}

function showFair(result: FairBench): void {
  printTable(
    ['beside other clients', ''],
    [
      ['creates a second of one client, 24 at once', result.alonePerSecond.toFixed(0)],
      ['… beside one read a second of another, × alone', result.besideReader.toFixed(2)],
      ['two such clients together, × one alone', result.twoClients.toFixed(2)],
      ['smaller share of the two', result.smallerShare.toFixed(2)],
      ['p95 of one create a second, ms', result.calmP95Ms.toFixed(1)],
      ['… beside 256 at once of another, × alone', result.besideFlood.toFixed(2)],
      ['… beside 300 failing token calls at once, ms', result.tokenCallsMs.toFixed(1)],
      ['… beside 300 made-up tokens at once, ms', result.madeUpMs.toFixed(1)],
      ['p95 of nineteen clients beside one at its bound, × alone', result.nineteenP95.toFixed(2)],
    ],
  );
}

function showFlood({ floods, documentMs }: FloodBench): void {
  print(`the document: ${documentMs.toFixed(2)} ms of CPU a call`);
  const head = [
    '10,000 connections of another address',
    'create, p99 ms calm',
    'flooded',
    '×',
    'slowest',
    'MB at most',
  ];
  const rows = floods.map(({ what, calmP99Ms, floodP99Ms, floodMaxMs, peakMegabytes }) => {
    const figures = [calmP99Ms, floodP99Ms, floodP99Ms / calmP99Ms, floodMaxMs, peakMegabytes];
    return [`that ${what}`, ...figures.map((value) => value.toFixed(2))];
  });
  printTable(head, rows);
}

await main(process.argv.slice(2));

function showYears({ leads, days, fillSeconds, bytes, work }: YearsBench): void {
  print(`${leads} leads of ${days} days, filled in ${fillSeconds.toFixed(0)} s`);
  printTable(
    ['table', 'bytes a lead'],
    Object.entries(bytes).map(([name, each]) => [name, each]),
  );
  printTable(
    ['work', 's', 'CPU s', 'statements', 'slowest ms', 'read as a whole'],
    work.map(({ name, seconds, cpuSeconds, statements, slowest, scanned }) => [
      name,
      seconds.toFixed(2),
      cpuSeconds.toFixed(2),
      statements,
      slowest?.ms.toFixed(0) ?? '',
      scanned.join(' '),
    ]),
  );
  for (const { name, slowest } of work)
    if (slowest && slowest.ms > 50)
      print(`\n${name}: ${slowest.ms.toFixed(0)} ms\n${slowest.text}`);
}

function showTeams({ oneTeam, twentyTeams }: TeamsBench): void {
  const rowOf = (name: string, { perSecond, nodeMs, postgresMs }: TeamsFigures) => [
    name,
    perSecond.toFixed(0),
    ...[nodeMs, postgresMs, nodeMs + postgresMs].map((ms) => ms.toFixed(2)),
  ];
  printTable(
    ['routed at once', 'leads per s', 'Node ms', 'Postgres ms', 'CPU ms'],
    [rowOf('one team', oneTeam), rowOf('twenty teams', twentyTeams)],
  );
  print(`one team ÷ twenty: ${(oneTeam.perSecond / twentyTeams.perSecond).toFixed(2)}`);
}
