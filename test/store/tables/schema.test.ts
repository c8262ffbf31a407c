import { connectOrm } from '../../../store/db/orm.ts';
import { migrations } from '../../../store/migrations/index.ts';
import { knownMigrations } from '../../../store/db/schema-version.ts';
import { columnsOf } from '../../../store/db/rows.ts';
import { entities } from '../../../store/tables/index.ts';
import { openDatabase } from '../catalogue/open.ts';

const open = await openDatabase('adminUrl');
const { database } = open;
const orm = await connectOrm({ url: open.url, poolSize: 1, connectTimeoutMs: 60_000 });
afterAll(async () => {
  await orm.close(true);
  await open.close();
});

const difference = () => orm.schema.getUpdateSchemaSQL();

test('the files of the migrations are those that run, in that order', () => {
  expect(migrations.map(({ name }) => name)).toEqual(knownMigrations);
});

test('every table that the migrations make is declared as an entity, column for column', async () => {
  expect(await difference()).toBe('');
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'mikro_orm_migrations'`,
  );
  const declared = entities.map(({ meta }) => meta.tableName);
  expect(declared.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

test('an INSERT names all columns of a table but those that Postgres generates', async () => {
  const tables = await database.query<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text order by column_name) as columns
     from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' and is_identity = 'NO' group by 1`,
  );
  const made = new Map(tables.map(({ name, columns }) => [name, columns]));
  for (const entity of entities)
    expect(columnsOf(entity).toSorted()).toEqual(made.get(entity.meta.tableName));
});

test.each([
  ['a column', `alter table agents add nickname text`, 'drop column "nickname"'],
  ['a default', `alter table agents alter time_zone drop default`, `default 'Asia/Dubai'`],
  ['a check', `alter table team_members drop constraint team_members_weight_check`, 'weight > 0'],
  ['an index', `drop index leads_review`, 'create index "leads_review"'],
  [
    'a foreign key',
    `alter table comments drop constraint comments_lead_id_fkey`,
    'constraint "comments_lead_id_fkey" foreign key',
  ],
])('%s that differs from its entity is found', async (_, change, expected) => {
  const before = await difference();
  await database.query(change);
  const after = await difference();
  expect(before).not.toContain(expected);
  expect(after).toContain(expected);
});
