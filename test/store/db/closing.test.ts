import { expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { createDatabase } from '../../../store/db/database.ts';
import { connectOrm } from '../../../store/db/orm.ts';
import { createTestDatabase } from '../../support/database.ts';

test('a database that is closed keeps no connection, which would hold its process up', async () => {
  const own = await createTestDatabase();
  const orm = await connectOrm({ url: own.url, poolSize: 1 });
  const database = await createDatabase(orm);
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  expect(pool.totalCount).toBe(1);
  await database.close();
  expect(pool.totalCount).toBe(0);
  await own.drop();
});
