import { connectDatabase } from '../../../store/db/database.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { createTestDatabase } from '../../support/database.ts';

test('a database that is closed keeps no connection, which would hold its process up', async () => {
  const own = await createTestDatabase();
  const database = await connectDatabase({ url: own.url, poolSize: 1, connectTimeoutMs: 60_000 });
  await database.close();
  const watcher = await connectDatabase({
    url: own.adminUrl,
    poolSize: 1,
    connectTimeoutMs: 60_000,
  });
  const others = `
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await waitUntil(async () => expect(await watcher.query(others)).toEqual([]), {
    what: 'The end of the connection',
  });
  await watcher.close();
  await own.drop();
});
