import { once } from 'node:events';
import { createServer } from 'node:net';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { writePidFile } from '../../dev/process/pid-file.ts';
import type { Stack } from '../../dev/stack.ts';
import type { Addresses } from '../../dev/stack/addresses.ts';
import { startCommand } from '../../dev/stack/settings.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { fromSetup } from '../support/environment.ts';
import { newFolder } from '../support/folder.ts';
import { postLead } from '../support/npm-start.ts';
import { runProgram } from '../support/program.ts';
import { startStack } from '../support/stack.ts';
import { hasEnded, onLinux, query } from './support.ts';

// A cold start on a busy machine.
const dataDir = path.join(newFolder(), "O'Neil’s بيانات #1?a=%20;b");
const stackFile = path.join(dataDir, 'stack.json');
// eslint-disable-next-line no-restricted-properties -- where to find Temporal, as a process would
const given = process.env;
const own = { DATA_DIR: dataDir, PORT: '0', OPS_PORT: '0', DEMO_DATA: '0' };
const env = { ...given, ...own, WORKFLOW_BUNDLE: fromSetup('TEST_WORKFLOWS') };

let stack: Stack | undefined;

const LAYLA = 'layla@example.com';

/** As /proc/net writes 127.0.0.1. */
const LOOPBACK = '0100007F';

/** Empty where the file was closed meanwhile. */
function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** The addresses of the sockets on which the process listens. */
function listeningAddresses(pid: number): string[] {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8'));
  return tables
    .join('')
    .split('\n')
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      const isListening = state === '0A' && links.includes(`socket:[${inode}]`);
      return isListening ? (local.split(':')[0] ?? '') : [];
    });
}

async function pidsOf(running: Stack | undefined): Promise<number[]> {
  const services = [...(running?.services.values() ?? [])].map((service) => service.running());
  return (await Promise.all(services)).map(({ pid }) => pid);
}

async function seesStopped(): Promise<void> {
  const status = ['status', '--json'];
  const { code, stdout } = await runProgram('./leadctl', status, { env: { ...given, ...own } });
  const { problems } = JSON.parse(stdout);
  expect({ code, problems }).toMatchObject({
    code: 2,
    problems: [{ command: expect.stringMatching(/^DATA_DIR='.* PORT=0 .*DEMO_DATA=0 npm start$/) }],
  });
}

describe('the stack', () => {
  afterAll(() => stack?.stop());

  test('first ends what an earlier one that was killed has left running', async () => {
    const left = spawn('sleep', ['600']);
    writePidFile(path.join(dataDir, 'running', 'temporal'), left.pid ?? 0);
    stack = await startStack({ env });
    await hasEnded(left.pid ?? 0);
    expect(readdirSync(path.join(dataDir, 'running')).toSorted()).toEqual([
      'api',
      'postgres',
      'temporal',
      'worker',
    ]);
  });

  test('comes up whole, and the webhook of a first lead arrives signed', async () => {
    const { receiver, ...at } = stack as Stack;
    const { body } = await postLead(at, LAYLA);
    const arrived = await waitUntil(
      async () => {
        const [call] = receiver.received();
        if (!call) throw new Error('nothing came');
        return call;
      },
      { what: 'The webhook' },
    );
    expect(arrived).toMatchObject({ verdict: 'verified', body: { data: { leadId: body['id'] } } });
  });

  test('says in stack.json where everything is, to nobody else', () => {
    expect(Object.keys(JSON.parse(readFileSync(stackFile, 'utf8')))).toEqual([
      'baseUrl',
      'opsUrl',
      'workerOpsUrl',
      'clientId',
      'clientSecret',
      'databaseUrl',
      'temporalAddress',
      'temporalUiUrl',
      'registryUrl',
      'receiverUrl',
      'ownerDatabaseUrl',
      'leadctl',
      'temporalCli',
      'settings',
      'startCommand',
    ]);
    expect(statSync(stackFile).mode & 0o077).toBe(0);
  });

  test('stores no password of a database for leadctl status of a stopped stack', () => {
    const kept = path.join(path.dirname(stackFile), 'kept.json');
    const text = readFileSync(kept, 'utf8');
    const { databaseUrl, ownerDatabaseUrl } = stack as Stack;
    const passwords = [databaseUrl, ownerDatabaseUrl].map((address) => new URL(address).password);
    for (const secret of passwords) expect(text).not.toContain(secret);
    expect(statSync(kept).mode & 0o077).toBe(0);
  });

  test('says what a next start is to be given, of secrets the name alone', () => {
    const others = { DATA_DIR: '.data', PATH: '/bin', LOG_LEVEL: '' };
    const settings = {
      PORT: '8081',
      COMPANY_NAME: 'Acme Homes',
      DATABASE_URL: 'postgres://a:b@c/d',
      DNCR_CHECK_URL: 'off',
      MERGE_WINDOW_HOURS: '1',
      MIGRATE_DATABASE_URL: 'postgres://e:f@c/d',
      TEMPORAL_BINARY: '/opt/temporal',
      TEMPORAL_TLS_CLIENT_KEY_DATA: '-----BEGIN PRIVATE KEY-----',
    };
    expect(startCommand({ ...others, ...settings })).toBe(
      `PORT=8081 COMPANY_NAME='Acme Homes' DATABASE_URL="\${DATABASE_URL:?}" DNCR_CHECK_URL=off ` +
        `MERGE_WINDOW_HOURS=1 MIGRATE_DATABASE_URL="\${MIGRATE_DATABASE_URL:?}" ` +
        `TEMPORAL_BINARY=/opt/temporal TEMPORAL_TLS_CLIENT_KEY_DATA="\${TEMPORAL_TLS_CLIENT_KEY_DATA:?}" npm start`,
    );
  });

  onLinux('names leadctl and Temporal’s own command, as a shell takes them', async () => {
    const { leadctl, temporalCli } = JSON.parse(readFileSync(stackFile, 'utf8')) as Addresses;
    const lines = [`${leadctl} lead list`, `${temporalCli} workflow list --limit 1`];
    for (const line of lines)
      expect(await runProgram('sh', ['-c', line], { env: given })).toMatchObject({ code: 0 });
  });

  onLinux('listens on loopback only, and lets nobody else into its folder', async () => {
    const pids = await pidsOf(stack);
    // The registry and the receiver are this process.
    const listening = [process.pid, ...pids].map(listeningAddresses);
    expect(listening).toHaveLength(5);
    for (const addresses of listening) expect(addresses.length).toBeGreaterThan(0);
    expect(new Set(listening.flat())).toEqual(new Set([LOOPBACK]));
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test('runs API and worker as a role that owns no table', async () => {
    const { databaseUrl, ownerDatabaseUrl, env: given } = stack as Stack;
    expect(given['MIGRATE_DATABASE_URL']).toBeUndefined();
    const connected = `select distinct usename::text as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null`;
    const owners = `select distinct tableowner::text as name from pg_tables where schemaname = 'public'`;
    const [service, owner] = [databaseUrl, ownerDatabaseUrl].map((url) => new URL(url).username);
    expect(await query(databaseUrl, connected)).toEqual([{ name: service }]);
    expect(await query(databaseUrl, owners)).toEqual([{ name: owner }]);
    const self = 'select current_user::text as name';
    expect(await query(ownerDatabaseUrl, self)).toEqual([{ name: owner }]);
  });

  test('lets no second stack into its folder', async () => {
    const script = path.resolve(import.meta.dirname, '../../dev/start.ts');
    expect(await runProgram(process.execPath, [script], { env })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`is in use by a stack that runs as process ${process.pid}`),
    });
  });

  test('restarts a service that was killed', async () => {
    const api = stack?.services.get('api');
    await (await api?.running())?.kill();
    await api?.start();
    expect(await postLead(stack as Stack, LAYLA)).toMatchObject({ body: { merged: true } });
  });

  test('stops all of it, and goes on where it was at the next start', async () => {
    const first = stack;
    const pids = await pidsOf(first);
    await first?.stop();
    await Promise.all(pids.map(hasEnded));
    expect(existsSync(stackFile)).toBe(false);
    await seesStopped();

    stack = await startStack({ env });
    expect(stack).toMatchObject({
      clientId: first?.clientId,
      clientSecret: first?.clientSecret,
      receiverUrl: first?.receiverUrl,
    });
    expect(await postLead(stack, LAYLA)).toMatchObject({ body: { merged: true } });
  });

  test.each([
    ['a version', { WORKER_DEPLOYMENT: 'lead-intake', WORKER_BUILD_ID: 'one' }],
    ['the next version', { WORKER_DEPLOYMENT: 'lead-intake', WORKER_BUILD_ID: 'two' }],
    ['no version', {}],
  ])(
    'gives new leads to the worker that starts as %s, and webhooks to another port where that is taken',
    async (_, version) => {
      const { receiverUrl } = stack as Stack;
      await stack?.stop();
      const taker = createServer().listen(Number(new URL(receiverUrl).port), '127.0.0.1');
      await once(taker, 'listening');
      stack = await startStack({ env: { ...env, ...version } });
      taker.close();
      expect(stack.receiverUrl).not.toBe(receiverUrl);
      const { body } = await postLead(stack, `${Object.values(version).join('-')}@example.com`);
      const ofLead = expect.objectContaining({ leadId: body['id'] });
      const { receiver } = stack;
      const isHeard = async () =>
        expect(receiver.received()).toContainEqual(
          expect.objectContaining({ body: expect.objectContaining({ data: ofLead }) }),
        );
      await waitUntil(isHeard, { what: 'The webhook' });
    },
  );
});
