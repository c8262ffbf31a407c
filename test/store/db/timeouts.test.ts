import { connect, createServer, Socket, type AddressInfo } from 'node:net';
import { waitUntil } from '../../../dev/wait-until.ts';
import { isConnectionError } from '../../../platform/errors.ts';
import {
  connectDatabase,
  retryAtStart,
  SNAPSHOT,
  type Database,
  type Sql,
} from '../../../store/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Every other statement of a busy machine is quicker. */
const TIMEOUT_MS = 60_000;
const SLOW_MS = 300;

let own: TestDatabase;
let limited: Database;
let unlimited: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  [limited, unlimited] = await Promise.all([open(TIMEOUT_MS), open()]);
});
afterAll(async () => {
  await Promise.all([limited?.close(), unlimited?.close()]);
  await own?.drop();
});

const open = (queryTimeoutMs?: number) =>
  connectDatabase({ url: own.url, poolSize: 2, connectTimeoutMs: 60_000, queryTimeoutMs });
const lockAgents = (sql: Sql) => sql.query(`lock table agents in exclusive mode`);

test('the locks of a process that froze are released, and its transaction fails', async () => {
  const isLocked = Promise.withResolvers<undefined>();
  const isFree = Promise.withResolvers<undefined>();
  const frozen = limited.transaction(async (sql) => {
    await lockAgents(sql);
    expect(await sql.query(`show idle_in_transaction_session_timeout`)).toEqual([
      { idle_in_transaction_session_timeout: '1min' },
    ]);
    await sql.query(`set local idle_in_transaction_session_timeout = '3s'`);
    isLocked.resolve(undefined);
    await isFree.promise;
    await sql.query(`select 1`);
  });
  const outcome = frozen.catch((error: unknown) => error);
  await Promise.race([isLocked.promise, frozen]);
  await unlimited.transaction(lockAgents);
  isFree.resolve(undefined);
  expect(isConnectionError(await outcome)).toBe(true);
});

test('a command that is suspended loses its locks; one that only reads may wait for its reader', async () => {
  const readLimit = (sql: Sql) => sql.query(`show idle_in_transaction_session_timeout`);
  const limit = (idle_in_transaction_session_timeout: string) => [
    { idle_in_transaction_session_timeout },
  ];
  expect(await unlimited.transaction(readLimit)).toEqual(limit('2min'));
  expect(await unlimited.transaction(readLimit, SNAPSHOT)).toEqual(limit('0'));
  expect(await limited.transaction(readLimit, SNAPSHOT)).toEqual(limit('1min'));
});

test('both sides probe a silent connection', async () => {
  const probing = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const database = await open();
  expect(probing.mock.calls).toEqual([[true, 10_000]]);
  probing.mockRestore();
  expect(await database.query(`show tcp_keepalives_idle`)).toEqual([{ tcp_keepalives_idle: '15' }]);
  await database.close();
});

test('a statement that timed out ends in the database too', async () => {
  const hasty = await open(3000);
  const error = await hasty.query(`select pg_sleep(120)`).catch((thrown: unknown) => thrown);
  expect(isConnectionError(error)).toBe(true);
  await waitUntil(nobodySleeps, { what: 'The end of it' });
  await hasty.close();
});

async function nobodySleeps(): Promise<void> {
  const active = await unlimited.query(
    `select pid from pg_stat_activity where datname = current_database() and state = 'active'
     and query like 'select pg_sleep%'`,
  );
  if (active.length > 0) throw new Error('It still runs.');
}

test('what is read at a start is tried again while the database is too slow for it', async () => {
  const hasty = await open(3000);
  let tries = 0;
  const read = async () => {
    tries += 1;
    await hasty.query(`select pg_sleep(${tries === 1 ? 120 : 0})`);
  };
  await retryAtStart(read, undefined, Date.now() + TIMEOUT_MS);
  expect(tries).toBe(2);
  tries = 0;
  expect(isConnectionError(await retryAtStart(read, undefined, Date.now()).catch(thrown))).toBe(
    true,
  );
  const wrong = () => limited.query('select from nowhere');
  await expect(retryAtStart(wrong)).rejects.toThrow('nowhere');
  await hasty.close();
});

const thrown = (error: unknown) => error;

test('the first connection may take longer than those after it', async () => {
  const slow = await startSlowServer(own.url);
  const patience = { connectTimeoutMs: 100, startTimeoutMs: 60_000 };
  const database = await connectDatabase({ url: slow.url, poolSize: 2, ...patience });
  const isRefused = Promise.withResolvers<undefined>();
  const taken = database.transaction(() => isRefused.promise);
  await expect(database.query('select 1')).rejects.toThrow('timeout');
  isRefused.resolve(undefined);
  await taken;
  await database.close();
  slow.stop();
});

/** Passes a connection on to the database after three times the limit. */
async function startSlowServer(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  const passOn = (near: Socket) => {
    const far = connect(port, host).on('error', () => undefined);
    near.pipe(far).pipe(near);
  };
  const server = createServer((near) => {
    near.on('error', () => undefined);
    setTimeout(passOn, SLOW_MS, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, stop: () => server.close() };
}
