import { randomBytes } from 'node:crypto';
import process from 'node:process';
import pg from 'pg';
import { migrations } from '../../../store/migrations/index.ts';
import { migrate } from '../../../store/db/migrator.ts';
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

  test.each(['9001-later', '0040-whole-rosters'])('is refused: %s', async (foreign) => {
    await insert(foreign);
    const refusal = `Another version migrated this database, to ${foreign}, and this version migrates to ${last}: run that version, or restore a backup (with npm start: use another DATA_DIR).\n`;
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
