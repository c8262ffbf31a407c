import pg from 'pg';
import { createTestDatabase } from '../support/database.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

// What somebody could do who runs statements of their own as the API or the worker.

// What somebody could do who runs statements of their own as the API or the worker.
const own = await createTestDatabase();
const service = new pg.Client({ connectionString: own.url });
await service.connect();
afterAll(async () => {
  await service.end();
  await own.drop();
});

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  creates: [
    'create table mine (id int)',
    'create unlogged table mine (id int)',
    'create table mine as select * from oauth_clients',
    'select * into mine from oauth_clients',
    'create view mine as select 1',
    'create materialized view mine as select 1',
    'create sequence mine',
    'create index mine on leads (id)',
    'create type mine as enum ()',
    'create domain mine as int',
    'create schema mine',
    'create database mine',
    'create role mine',
    'create role mine superuser',
    'create extension dblink',
    'create extension file_fdw',
    `create function mine() returns int language sql as 'select 1'`,
    `create procedure public.mine() language sql as ''`,
    `create trigger mine before insert on leads for each row execute function suppress_redundant_updates_trigger()`,
    'create rule mine as on insert to leads do nothing',
    'create policy mine on leads',
    'create statistics mine on id, source_id from leads',
    'create publication mine for all tables',
    `create subscription mine connection 'host=192.0.2.1' publication mine`,
    'create foreign data wrapper mine',
    `create tablespace mine location '/tmp'`,
    'create event trigger mine on ddl_command_start execute function mine()',
    'create cast (text as int) with inout',
    `select lo_export(0, '/tmp/mine')`,
    `select pg_create_logical_replication_slot('mine', 'pgoutput')`,
  ],
  drops: [
    'drop table comments',
    'drop table mikro_orm_migrations cascade',
    'drop view lead_volume',
    'drop index leads_review',
    'drop function f_unaccent(text)',
    'drop extension pg_trgm cascade',
    'drop schema public cascade',
    `drop owned by current_user; drop role current_user`,
    'drop database postgres',
  ],
  alters: [
    'alter table leads add column mine text',
    'alter table leads drop column id',
    'alter table leads disable trigger all',
    'alter table leads owner to current_user',
    'alter table oauth_tokens rename to mine',
    'alter table leads set unlogged',
    'alter view lead_volume rename to mine',
    'alter function f_unaccent(text) rename to mine',
    'alter schema public rename to mine',
    'alter database postgres set work_mem = 1',
    'alter role current_user superuser',
    'alter role current_user createrole',
    'alter system set fsync = off',
    `comment on table leads is 'mine'`,
    'truncate leads cascade',
    'truncate comments',
    'cluster leads using leads_pkey',
    'reindex table leads',
    `update pg_class set relowner = 10 where relname = 'leads'`,
    `insert into mikro_orm_migrations (name) values ('mine')`,
    'delete from mikro_orm_migrations',
    'update mikro_orm_migrations set name = null',
  ],
  'reads from files, writes to them, loads from them and runs of programs': [
    `copy agents from '/etc/passwd'`,
    `copy agents to '/tmp/mine'`,
    `copy agents from program 'id'`,
    `copy (select 1) to program 'id'`,
    `select pg_read_file('/etc/passwd')`,
    `select pg_read_binary_file('postgresql.conf')`,
    `select pg_ls_dir('/')`,
    `select pg_stat_file('/etc/passwd')`,
    `select lo_import('/etc/passwd')`,
    `load '/tmp/mine.so'`,
    'select * from pg_authid',
    'select * from pg_hba_file_rules',
    'select pg_reload_conf()',
    'select pg_rotate_logfile()',
    `create function pg_temp.mine() returns int language c as '/tmp/mine'`,
    `set session_replication_role = replica`,
    'set role pg_read_all_data',
  ],
};

describe.each(Object.entries(REFUSED))('The role of the service %s nothing:', (_, statements) => {
  test.each(statements)('%s', async (statement) => {
    const code = await service.query(statement).then(
      () => 'done',
      (error: pg.DatabaseError) => error.code,
    );
    expect(code).toBe(INSUFFICIENT_PRIVILEGE);
  });
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
