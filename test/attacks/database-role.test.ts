import pg from 'pg';
import { createTestDatabase } from '../support/database.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

// What somebody could do who runs statements of their own as the API or the worker.
const own = await createTestDatabase();
const service = new pg.Client({ connectionString: own.url });
await service.connect();
afterAll(async () => {
  await service.end();
  await own.drop();
});

/** What only an owner, a superuser or a member of another role may. */
const REFUSED = [
  'create schema mine',
  `create function mine() returns int language sql as 'select 1'`,
  `create trigger mine before insert on leads for each row execute function suppress_redundant_updates_trigger()`,
  'drop schema public cascade',
  'alter system set fsync = off',
  `insert into mikro_orm_migrations (name) values ('mine')`,
  'delete from mikro_orm_migrations',
  'update mikro_orm_migrations set name = null',
  `copy agents from '/etc/passwd'`,
  `copy (select 1) to program 'id'`,
  `select pg_read_file('/etc/passwd')`,
  'set role pg_read_all_data',
];

test.each(REFUSED)('the role of the service may not %s', async (statement) => {
  const code = await service.query(statement).then(
    () => 'done',
    (error: pg.DatabaseError) => error.code,
  );
  expect(code).toBe(INSUFFICIENT_PRIVILEGE);
});

test('it grants nothing, to itself, to others or from others', async () => {
  const rightsSql = `
    select relname, relacl::text from pg_class where relnamespace = 'public'::regnamespace
    union all select datname, datacl::text from pg_database where datname in (current_database(), 'postgres')
    union all select nspname, nspacl::text from pg_namespace where nspname not like 'pg_temp%'
    union all select roleid::regrole::text, member::regrole::text from pg_auth_members
      where current_user::regrole in (roleid, member) order by 1, 2`;
  const before = await service.query(rightsSql);
  for (const statement of [
    'grant truncate on leads to current_user',
    'grant all on all tables in schema public to current_user',
    'grant select on leads to public',
    'grant create on schema public to current_user',
    'grant pg_read_server_files to current_user',
    `grant pg_execute_server_program to current_user`,
    `do $$ begin execute format('grant %I to current_user', current_database() || '_owner'); end $$`,
    'grant current_user to postgres',
  ])
    await service.query(statement).catch(() => undefined); // what it may not is a warning or an error
  expect((await service.query(rightsSql)).rows).toEqual(before.rows);
});

test('it owns nothing, has no attribute, is in no other role, and has no right but to rows', async () => {
  const { rows } = await service.query(`
    select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as attributes,
      exists (select from pg_shdepend where refobjid = r.oid and deptype = 'o') as owns,
      exists (select from pg_auth_members where member = r.oid) as member,
      (select array_agg(distinct privilege_type order by privilege_type) from pg_class, aclexplode(relacl)
       where grantee = r.oid) as rights
    from pg_roles r where rolname = current_user`);
  expect(rows).toEqual([
    {
      attributes: false,
      owns: false,
      member: false,
      rights: ['DELETE', 'INSERT', 'SELECT', 'UPDATE'],
    },
  ]);
});

test('it reads and writes rows of every table but the list of migrations', async () => {
  const { rows } = await service.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'mikro_orm_migrations'
      and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))`);
  expect(rows).toEqual([]);
  expect((await service.query('select from mikro_orm_migrations')).rowCount).toBeGreaterThan(0);
});
