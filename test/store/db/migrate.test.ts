import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrations } from '../../../store/migrations/index.ts';
import { migrate } from '../../../store/db/migrator.ts';
import { withDatabase } from '../../support/database.ts';
import { fromSetup } from '../../support/environment.ts';

const name = `test_${randomBytes(6).toString('hex')}`;
const url = new URL(fromSetup('TEST_DATABASE_URL'));
const service = withDatabase(fromSetup('TEST_SERVICE_URL'), name);
let server: pg.Client;
beforeAll(async () => {
  server = new pg.Client({ connectionString: url.href });
  await server.connect();
  await server.query(`create database ${name}`);
  url.pathname = `/${name}`;
});
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
