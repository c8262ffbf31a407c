import { randomBytes } from 'node:crypto';
import process from 'node:process';
import pg from 'pg';
import { migrations } from '../../../store/migrations/index.ts';
import { migrate } from '../../../store/db/migrator.ts';
import { connectOrm } from '../../../store/db/orm.ts';
import { clientFor, prepareRoles } from '../../../store/db/roles.ts';
import { compareSchema } from '../../../store/db/schema-version.ts';
import { asAdmin, withDatabase } from '../../support/database.ts';
import { fromSetup } from '../../support/environment.ts';
import { startServiceProcess } from '../../support/process.ts';
import { runProgram } from '../../support/program.ts';

const name = `test_${randomBytes(6).toString('hex')}`;
const url = new URL(fromSetup('TEST_DATABASE_URL'));
const service = withDatabase(fromSetup('TEST_SERVICE_URL'), name);
const server = new pg.Client({ connectionString: url.href });
await server.connect();
await server.query(`create database ${name}`);
url.pathname = `/${name}`;
afterAll(async () => {
  await server.query(`drop database ${name} with (force)`);
  await server.query(`drop role ${name}_owner`);
  await server.end();
});

test('of several processes that migrate at once one does it all and the others find it done', async () => {
  const ran = await Promise.all([1, 2, 3].map(() => migrate(service, url.href)));
  const all = migrations.map((migration) => migration.name);
  expect(ran.toSorted((a, b) => a.length - b.length)).toEqual([[], [], all]);
});

test('keys that the release before stored are found by the spelling of this one', async () => {
  const admin = clientFor(url.href);
  await admin.connect();
  await admin.query(`
    delete from mikro_orm_migrations where name = '0038-lookup-keys';
    insert into listings (id, reference_no, purpose, market) values (gen_random_uuid(), 'AG–1', 'sale', 'primary');
    insert into advertising_campaigns (id, platform_campaign_id, name, name_key, created_at, updated_at) values
      (gen_random_uuid(), null, 'فيلا  &amp; شقة', 'old 1', '2026-01-01', now()),
      (gen_random_uuid(), null, 'فيلا & شقه', 'old 2', '2026-01-02', now()),
      (gen_random_uuid(), 'c:7', 'Plain', 'plain', '2026-01-03', now()),
      (gen_random_uuid(), '7', 'Café\u00a07', 'old 3', '2026-01-04', now()),
      (gen_random_uuid(), 'c:8', null, null, '2026-01-05', now())`);
  expect(await migrate(service, url.href)).toEqual(['0038-lookup-keys']);
  const stored = await admin.query(`
    select (select string_agg(reference_no, ', ') from listings) as numbers,
      (select json_agg(array[platform_campaign_id, name_key] order by created_at) from advertising_campaigns) as campaigns`);
  await admin.end();
  expect(stored.rows).toEqual([
    {
      numbers: 'AG-1',
      campaigns: [
        [null, 'فيلا & شقه'],
        [null, 'old 2'],
        ['c:7', 'plain'],
        ['7', 'café 7'],
        ['8', null],
      ],
    },
  ]);
});

describe('a database of another release', () => {
  const own = migrations.map((migration) => migration.name);
  const last = own.at(-1) ?? '';
  const of = (names: readonly string[], release: number) =>
    names.map((each) => ({ name: each, executed_at: new Date(release) }));

  const REPLACED = ['0001-foundation', '0034-undone-hand-overs'];
  test.each([
    ['of this one', of(own, 1), 'current'],
    ['before this one', of(own.slice(0, -1), 1), 'behind'],
    ['without tables', [], 'behind'],
    ['of the next one', [...of(own, 1), ...of(['9001-a', '9002-b'], 2)], 'nextRelease'],
    ['of the one after', [...of(own, 1), ...of(['9001-a'], 2), ...of(['9002-b'], 3)], 'tooNew'],
    ['that the next one made', of([...own, '9001-a'], 1), 'tooNew'],
    ['of before the baseline', of(['0001-foundation', '0002-fixed-lists'], 1), 'tooOld'],
    ['of the migrations that the baseline replaced', of(REPLACED, 1), 'behind'],
    ['of those and this one', [...of(REPLACED, 1), ...of(own, 2)], 'current'],
  ])('is compared: %s', (_, executed, kind) => {
    expect(compareSchema(executed, own)).toMatchObject({ kind });
  });

  const startApi = () =>
    startServiceProcess('api/server.ts', {
      DATABASE_URL: service,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    });
  const runMigrate = (...flags: string[]) =>
    runProgram(process.execPath, ['store/db/migrate.ts', ...flags], {
      env: { DATABASE_URL: service, MIGRATE_DATABASE_URL: url.href },
    });
  const insert = (...names: string[]) =>
    asAdmin(url.href, `insert into mikro_orm_migrations (name) values ('${names.join("'), ('")}')`);
  const forget = () => asAdmin(url.href, `delete from mikro_orm_migrations where name >= '9'`);

  test('runs beside the next one, alone it refuses', async () => {
    await insert('9001-a');
    const api = await startApi();
    expect(api.log()).toContain('The next release has migrated the database, to 9001-a');
    expect(await runMigrate()).toMatchObject({ code: 0, stderr: '' });
    expect(await runMigrate('--alone')).toMatchObject({
      code: 1,
      stderr: `A newer release wrote this database (its last migration is 9001-a; this release reads those up to ${last}): start that release again, or restore a backup from before it (with npm start: another DATA_DIR).\n`,
    });

    await insert('9002-b');
    const readiness = await fetch(`${api.opsUrl}/readyz`);
    expect([readiness.status, await api.stop()]).toEqual([503, 0]);
    await expect(startApi()).rejects.toThrow(/ended:\nA newer release wrote .* is 9002-b; .*\n$/);
    expect(await runMigrate()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^A newer release wrote .*\n$/),
    });
    await forget();
  });

  /** Makes the database anew as the last release before the baseline left it, which has the baseline's schema. */
  async function restoreReplaced(): Promise<void> {
    await server.query(`drop database ${name} with (force)`);
    await server.query(`create database ${name}`);
    const admin = clientFor(url.href);
    await admin.connect();
    const role = await prepareRoles(admin, service).finally(() => admin.end());
    const orm = await connectOrm({ url: url.href, role, poolSize: 1, connectTimeoutMs: 60_000 });
    await orm.migrator.up({ to: '0035-baseline' }).finally(() => orm.close(true));
    await asAdmin(url.href, 'delete from mikro_orm_migrations');
    await insert(...REPLACED);
  }

  test('is taken over as it is, where the migrations ran that the baseline replaced', async () => {
    await restoreReplaced();
    expect(await migrate(service, url.href)).toEqual(own);
    const api = await startApi();
    expect(await api.stop()).toBe(0);
    await asAdmin(url.href, `delete from mikro_orm_migrations where name < '0035'`);
  });

  test('is refused as one of before the baseline by what reads it', async () => {
    await insert('0002-fixed-lists');
    expect((await runMigrate()).stderr).toMatch(
      /^This database was migrated up to 0002-fixed-lists; .* has 0034-undone-hand-overs first, then this one\.\n$/,
    );
    await asAdmin(url.href, `delete from mikro_orm_migrations where name = '0002-fixed-lists'`);
  });
});
