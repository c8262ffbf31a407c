import { randomBytes } from 'node:crypto';
import process from 'node:process';
import pg from 'pg';
import { migrations } from '../../../store/migrations/index.ts';
import { migrate } from '../../../store/db/migrator.ts';
import { clientFor } from '../../../store/db/roles.ts';
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

describe('a database that another version migrated', () => {
  const last = migrations.at(-1)?.name ?? '';
  const startApi = () =>
    startServiceProcess('api/server.ts', {
      DATABASE_URL: service,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    });
  const runMigrate = () =>
    runProgram(process.execPath, ['store/db/migrate.ts'], {
      env: { DATABASE_URL: service, MIGRATE_DATABASE_URL: url.href },
    });
  const insert = (migration: string) =>
    asAdmin(url.href, `insert into mikro_orm_migrations (name) values ('${migration}')`);

  test.each(['9001-later', '0002-before-the-baseline'])('is refused: %s', async (foreign) => {
    await insert(foreign);
    const refusal = `Another version migrated this database, to ${foreign}, and this version knows 0035-baseline to ${last}: run that version, or restore a backup (with npm start: use another DATA_DIR).\n`;
    expect(await runMigrate()).toMatchObject({ code: 1, stderr: refusal });
    await expect(startApi()).rejects.toThrow(refusal);
    await asAdmin(url.href, `delete from mikro_orm_migrations where name = '${foreign}'`);
  });

  test('stays ready for a process that runs already, until a migration of its own is missing', async () => {
    const api = await startApi();
    const readiness = async () => (await fetch(`${api.opsUrl}/readyz`)).json();
    await insert('9001-later');
    expect(await readiness()).toMatchObject({ migrations: true });
    await asAdmin(url.href, 'delete from mikro_orm_migrations');
    expect(await readiness()).toMatchObject({ migrations: false });
    expect(await api.stop()).toBe(0);
  });
});
