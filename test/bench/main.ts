import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { startPostgres } from '../../dev/postgres.ts';
import { migrate } from '../../store/db/migrator.ts';
import { withDatabase } from '../support/database.ts';
import { benchCreate } from './create.ts';
import { benchFair } from './fair.ts';
import type { Bench } from './harness.ts';
import { benchImport } from './import.ts';
import { benchLifecycle } from './lifecycle.ts';
import { benchNine } from './nine.ts';
import { benchReads } from './reads.ts';
import { benchTeams } from './teams.ts';
import { benchYears } from './years.ts';

/** Each works on copies of the empty database, so that they may run alone and in any order. */
const benches: Record<string, Bench> = {
  create: benchCreate,
  import: benchImport,
  reads: benchReads,
  fair: benchFair,
  nine: benchNine,
  teams: benchTeams,
  years: benchYears,
  lifecycle: benchLifecycle,
};

/**
 * `npm run bench [-- part …]`: every part, or the named parts, beside a floor measured in the same run, on a
 * Postgres of its own.
 */
async function main(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0)
    throw new Error(`No part ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lead-intake-bench-'));
  await chmod(folder, 0o755); // Postgres may run as another account
  const postgres = await startPostgres({ dataDir: path.join(folder, 'postgres') });
  try {
    const { superuserUrl: emptyUrl, pid: postgresPid } = postgres;
    await migrate(emptyUrl);
    // eslint-disable-next-line no-restricted-properties -- an entry point
    const { env } = process;
    const place = { folder, emptyUrl, postgresPid, copyOf, env };
    for (const [name, bench] of Object.entries(benches))
      if (wanted.length === 0 || wanted.includes(name)) await bench(place);
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

await main(process.argv.slice(2));
