import pg from 'pg';
import { waitUntil } from '../../dev/wait-until.ts';
import { connectDatabase } from '../../store/db/database.ts';
import { untilMigrated } from '../../store/db/schema-version.ts';
import { asAdmin, createTestDatabase } from '../support/database.ts';
import { startServiceProcess } from '../support/process.ts';
import { proxied } from '../support/switchable-proxy.ts';
import { openBareTemporal } from '../support/temporal.ts';

const database = await createTestDatabase();
const temporal = await openBareTemporal();
afterAll(async () => {
  await temporal.connection.close();
  await database.drop();
});

/** When a session last finished reading which migrations ran. */
async function readReadTime(admin: pg.Client): Promise<Date | undefined> {
  const { rows } = await admin.query<{ query_start: Date }>(
    `select query_start from pg_stat_activity
     where state = 'idle' and datname = $1 and query like '%mikro_orm_migrations%'`,
    [new URL(database.url).pathname.slice(1)],
  );
  return rows[0]?.query_start;
}

const takeMigrations = () =>
  asAdmin(
    database.url,
    'create table kept as select * from mikro_orm_migrations',
    'delete from mikro_orm_migrations',
  );
const giveMigrations = () =>
  asAdmin(database.url, 'insert into mikro_orm_migrations select * from kept', 'drop table kept');

test('the wait for a migration outlasts a restart of Postgres', async () => {
  await takeMigrations();
  const { url, proxy } = await proxied(database.url);
  const service = await connectDatabase({ url, poolSize: 1, connectTimeoutMs: 60_000 });
  const migrateAfterAway = async () => {
    const isAway = async () => expect(proxy.refused()).toBeGreaterThan(0);
    await waitUntil(isAway, { what: 'The wait without Postgres' });
    await giveMigrations();
    proxy.turn('open');
  };
  const wait = untilMigrated(service, () => proxy.turn('refusing'));
  await expect(Promise.all([wait, migrateAfterAway()])).resolves.toBeDefined();
  await service.close();
  await proxy.stop();
});

test('a worker that starts before the migration begins after it', async () => {
  await takeMigrations();
  const { address, namespace } = temporal.target;
  const starting = startServiceProcess('worker/worker.ts', {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
  });
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  const reads = new Set<number>();
  const waits = async () => {
    const at = await readReadTime(admin);
    if (at) reads.add(at.getTime());
    expect(reads.size).toBeGreaterThan(2);
  };
  await waitUntil(waits, { what: 'The worker that waits', timeoutMs: 300_000 });
  await admin.end();
  await giveMigrations();
  const worker = await starting;
  const texts = worker.log().matchAll(/"msg":"(A migration is missing[^"]*|ready)"/g);
  expect(Array.from(texts, ([, text]) => text)).toEqual([
    'A migration is missing: the worker begins after npm run migrate.',
    'ready',
  ]);
  expect(await worker.stop()).toBe(0);
});
