// Starts one Postgres and one Temporal for the whole run; each test file makes itself a database
// and a namespace in them (test/support). TEST_DATABASE_URL and TEST_TEMPORAL_ADDRESS name servers to use instead.
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  constants,
  mkdtemp,
  readdir,
  rm,
  statfs,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { startPostgres } from '../dev/postgres.ts';
import { createProgress } from '../dev/progress.ts';
import { startTemporal } from '../dev/temporal.ts';
import { locateTemporal } from '../dev/temporal/locate.ts';
import { migrate } from '../store/db/migrator.ts';
import { bundleWorkflows } from '../worker/workflow-bundle.ts';
import { isInterrupted, watchOver } from './support/watch-over.ts';

export const TEMPLATE = 'template_migrated';

export default () => startServers();

/** `dynamicConfig` adds to that of the Temporal server, unless it is one of the environment. */
export async function startServers(dynamicConfig = {}) {
  forgetTemporal(process.env);
  const folder = (await folderInMemory()) ?? (await mkdtemp(path.join(os.tmpdir(), PREFIX)));
  await chmod(folder, 0o755); // Postgres may run as another account
  const progress = createProgress(process.stderr);
  process.env.TEST_FOLDER = folder;
  const stops = [];
  globalThis.testServers = { folder, stops };
  process.env.TEST_WORKFLOWS = path.join(folder, 'workflows.js');
  await Promise.all([
    progress.run('Workflows for the tests', () => workflows(process.env.TEST_WORKFLOWS)),
    progress.run('Postgres for the tests', () => postgres(folder, stops)),
    progress.run('Temporal for the tests', () => temporal(folder, stops, progress, dynamicConfig)),
  ]);
}

const PREFIX = 'lead-intake-test-';
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 6 * 2 ** 30;

/**
 * Where there is much memory the run's files lie in it: databases are made and dropped all the time, and a sixth of a run's CPU
 * was the file system's search for free inodes. Null: there is not enough, or programs cannot be run from there.
 */
async function folderInMemory() {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    if (Math.min(bavail * bsize, process.availableMemory()) < NEEDED_BYTES) return null;
    await removeAbandoned();
    const folder = await mkdtemp(path.join(MEMORY, `${PREFIX}${process.pid}-`));
    const program = path.join(folder, 'program');
    await writeFile(program, '', { mode: 0o755 });
    const isRunnable = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    await rm(isRunnable ? program : folder, { recursive: true });
    return isRunnable ? folder : null;
  } catch {
    return null;
  }
}

/** What a killed run left there takes memory for good. */
async function removeAbandoned() {
  for (const name of await readdir(MEMORY)) {
    const pid = Number(name.match(`^${PREFIX}(\\d+)-`)?.[1]);
    if (pid && !existsSync(`/proc/${pid}`))
      await rm(path.join(MEMORY, name), { recursive: true, force: true });
  }
}

/** What a developer's shell has for a Temporal server must reach no program of a test. */
function forgetTemporal(env) {
  const own = ['TEMPORAL_BINARY', 'TEMPORAL_DEBUG'];
  for (const name of Object.keys(env))
    if (name.startsWith('TEMPORAL_') && !own.includes(name)) Reflect.deleteProperty(env, name);
}

/** One bundle for every worker of the run. */
async function workflows(file) {
  const { code } = await bundleWorkflows();
  await writeFile(file, code);
}

async function postgres(folder, stops) {
  if (process.env.TEST_DATABASE_URL === undefined) {
    const server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false });
    stops.push(server.stop);
    process.env.TEST_DATABASE_URL = server.superuserUrl;
  }
  await makeTemplate(process.env.TEST_DATABASE_URL);
}

async function makeTemplate(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`drop database if exists ${TEMPLATE} with (force)`);
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const owner = new URL(databaseUrl);
  owner.pathname = `/${TEMPLATE}`;
  const service = new URL(owner);
  service.username = 'test_service';
  service.password = 'test';
  process.env.TEST_SERVICE_URL = service.href;
  await migrate(service.href, owner.href);
}

async function temporal(folder, stops, progress, dynamicConfig) {
  if (process.env.TEST_TEMPORAL_ADDRESS !== undefined) return;
  const options = { binary: await locateTemporal(process.env, progress), dynamicConfig };
  process.env.TEST_TEMPORAL_ADDRESS = await ownTemporal(options, folder, stops, progress);
}

// On disk, so that the tests go on where they were when it has to be started again.
async function ownTemporal(options, folder, stops, progress) {
  const place = { ...options, dataDir: path.join(folder, 'temporal') };
  let server = await startTemporal(place);
  async function again() {
    const { port, uiPort } = server;
    await server.kill();
    server = await startTemporal({ ...place, port, uiPort });
  }
  const endWatch = watchOver({
    isStuck: () => isInterrupted(server),
    restart: () => progress.run('Temporal for the tests again: it is stuck', again),
  });
  stops.push(async () => {
    await endWatch();
    await server.stop();
  });
  return server.address;
}
