import { setTimeout } from 'node:timers/promises';
import { connectDatabase } from '../../../store/db/database.ts';
import { untilMigrated } from '../../../store/db/schema-version.ts';
import { asAdmin, createTestDatabase } from '../../support/database.ts';
import { proxied } from '../../support/switchable-proxy.ts';

const original = await createTestDatabase();
const { url, proxy } = await proxied(original.url);
const database = await connectDatabase({ url, poolSize: 1 });
afterAll(async () => {
  await database.close();
  await proxy.stop();
  await original.drop();
});

test('the wait for a migration outlasts a restart of the database', async () => {
  await asAdmin(
    original.url,
    'create table kept as select * from mikro_orm_migrations',
    'delete from mikro_orm_migrations',
  );
  const { promise: begun, resolve: begin } = Promise.withResolvers<null>();
  let isOver = false;
  const waiting = untilMigrated(database, () => begin(null)).finally(() => (isOver = true));
  await begun;
  proxy.turn('refusing');
  await Promise.race([waiting, setTimeout(3000)]);
  proxy.turn('open');
  expect(isOver).toBe(false);
  await asAdmin(original.url, 'insert into mikro_orm_migrations select * from kept');
  await waiting;
});
