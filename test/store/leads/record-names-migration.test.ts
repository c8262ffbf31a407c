import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { connectOrm } from '../../../store/db/orm.ts';
import { asAdmin, createTestDatabase } from '../../support/database.ts';
import { startIntake } from '../../support/intake.ts';
import { EMAAR } from '../../support/reference.ts';

test('of leads of before, the twin of a flagged name has set the record', async () => {
  const own = await createTestDatabase();
  const api = await startIntake({ databaseUrl: own.url });
  const leads = [
    { flags: { developerName: 'Nobody' }, developerId: EMAAR },
    { flags: { developerId: randomUUID() }, developerId: EMAAR },
    { flags: { source: 'Pigeon' }, developerId: EMAAR },
    { flags: { developerName: 'Nobody' }, developerId: null },
  ];
  const ids: string[] = [];
  for (const { flags, developerId } of leads) {
    const { id } = await api.create();
    await api.database.query(
      `update leads set intake_unresolved = $2, developer_id = $3 where id = $1`,
      [id, JSON.stringify(flags), developerId],
    );
    ids.push(id);
  }
  await asAdmin(
    own.url,
    `alter table leads drop column listing_set_by, drop column developer_set_by`,
    `delete from mikro_orm_migrations where name = '0016-record-names'`,
  );
  const orm = await connectOrm({ url: own.adminUrl, poolSize: 1 });
  await orm.migrator.up();
  await orm.close(true);
  const rows = await api.database.query(
    `select developer_set_by as name from leads where id = any ($1::uuid[])
     order by array_position($1::uuid[], id)`,
    [ids],
  );
  await api.stop();
  await own.drop();
  expect(rows.map(({ name }) => name)).toEqual(['developerId', 'developerName', null, null]);
});
