import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../../store/db/migrator.ts';
import { migrations } from '../../../store/migrations/index.ts';
import { withDatabase } from '../../support/database.ts';
import { fromSetup } from '../../support/environment.ts';

const ALL = migrations.map(({ name }) => name);
const superuserUrl = fromSetup('TEST_DATABASE_URL');

let name: string;
let url: string;
const urlOf = (role: string, password = 'secret') =>
  Object.assign(new URL(url), { username: `${name}_${role}`, password }).href;

async function query<Row extends object>(by: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: by });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  name = `roles_${randomBytes(6).toString('hex')}`;
  url = withDatabase(superuserUrl, name);
  await query(superuserUrl, `create database ${name}`);
});
afterEach(async () => {
  await query(superuserUrl, `drop database ${name} with (force)`);
  await query(
    superuserUrl,
    `do $$ declare role text; begin
       for role in select rolname from pg_roles where rolname like '${name}%' loop
         execute format('drop role %I', role);
       end loop; end $$`,
  );
});

const ownersSql = `
  select distinct relowner::regrole::text as owner from pg_class
  where relnamespace = 'public'::regnamespace
  union select distinct proowner::regrole::text from pg_proc p
  where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`;

/** What a service of that address is refused, of what only the owner may do, and of what it needs itself. */
async function refusals(serviceUrl: string): Promise<Record<string, boolean>> {
  const statements = {
    create: 'create table mine (id int)',
    alter: 'alter table comments add column mine text',
    drop: 'drop table comments',
    truncate: 'truncate comments',
    write: `insert into list_entries select * from list_entries limit 0`,
    read: 'select from mikro_orm_migrations, lead_volume',
  };
  const tried = Object.entries(statements).map(async ([what, statement]) => {
    const refused = query(serviceUrl, statement).then(
      () => false,
      (error: pg.DatabaseError) => error.code === '42501',
    );
    return [what, await refused] as const;
  });
  return Object.fromEntries(await Promise.all(tried));
}
const ROWS_ONLY = {
  create: true,
  alter: true,
  drop: true,
  truncate: true,
  write: false,
  read: false,
};

describe('migrate, by a superuser', () => {
  test('makes an owner that is none, and a service that reads and writes rows only; once', async () => {
    expect(await migrate(urlOf('service'), url)).toEqual(ALL);
    expect(await query(url, ownersSql)).toEqual([{ owner: `${name}_owner` }]);
    const [owner] = await query(url, `select * from pg_roles where rolname = '${name}_owner'`);
    expect(owner).toMatchObject({ rolsuper: false, rolcanlogin: false, rolcreaterole: false });
    expect(await refusals(urlOf('service'))).toEqual(ROWS_ONLY);
    const rightsSql = `
      select relname, relacl::text from pg_class
      where relnamespace = 'public'::regnamespace order by relname`;
    const rights = await query(url, rightsSql);
    expect(await migrate(urlOf('service'), url)).toEqual([]);
    expect(await query(url, rightsSql)).toEqual(rights);
  });

  test('takes over a database whose tables are all the superuser’s', async () => {
    expect(await migrate(url)).toEqual(ALL);
    expect(await query(url, ownersSql)).toHaveLength(1);
    expect(await query(url, ownersSql)).not.toEqual([{ owner: `${name}_owner` }]);
    expect(await migrate(urlOf('service'), url)).toEqual([]);
    expect(await query(url, ownersSql)).toEqual([{ owner: `${name}_owner` }]);
    expect(await refusals(urlOf('service'))).toEqual(ROWS_ONLY);
  });

  test('takes everything but the rows from a service that owned the database', async () => {
    const service = `${name}_service`;
    await query(
      url,
      `create role ${service} login password 'secret' superuser createdb createrole`,
    );
    await query(url, `alter database ${name} owner to ${service}`);
    await query(url, `alter schema public owner to ${service}`);
    await query(url, `grant create on schema public to public`);
    expect(await migrate(urlOf('service'))).toEqual(ALL);
    await query(url, `create role ${name}_owner; grant ${name}_owner to ${service}`);
    await migrate(urlOf('service'), url);
    expect(await refusals(urlOf('service'))).toEqual(ROWS_ONLY);
    const [{ rolsuper, rolcreaterole, member } = {}] = await query<Record<string, boolean>>(
      url,
      `select rolsuper, rolcreaterole, pg_has_role(oid, '${name}_owner', 'member') as member
       from pg_roles where rolname = '${service}'`,
    );
    expect({ rolsuper, rolcreaterole, member }).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      member: false,
    });
  });

  test('gives the service the password of a changed address', async () => {
    await migrate(urlOf('service'), url);
    await migrate(urlOf('service', "new'er"), url);
    expect(await query(urlOf('service', "new'er"), 'select 1 as one')).toEqual([{ one: 1 }]);
    await expect(query(urlOf('service'), 'select 1')).rejects.toThrow('password authentication');
  });

  test('covers the tables of later migrations', async () => {
    await migrate(urlOf('service'), url);
    await query(
      url,
      `set role ${name}_owner; create table later (id int generated always as identity)`,
    );
    await query(urlOf('service'), 'insert into later default values');
    expect(await query(urlOf('service'), 'table later')).toEqual([{ id: 1 }]);
    await expect(query(urlOf('service'), 'truncate later')).rejects.toThrow('permission denied');
  });
});

describe('migrate, by a role that may make no roles', () => {
  beforeEach(() => query(url, `create role ${name}_dba login password 'secret'`));
  const migrateAsDba = () => migrate(urlOf('service'), urlOf('dba'));

  test('says which right is missing, changes nothing, and then works', async () => {
    await expect(migrateAsDba()).rejects.toThrow(
      `"${name}_dba" may not prepare the roles "${name}_dba" and "${name}_service" (permission denied to create role)`,
    );
    await query(url, `create role ${name}_service login password 'secret'`);
    await expect(migrateAsDba()).rejects.toThrow('permission denied for schema public');
    expect(await query(url, ownersSql)).toEqual([]);
    await query(
      url,
      `grant create on database ${name} to ${name}_dba; grant create, usage on schema public to ${name}_dba`,
    );
    expect(await migrateAsDba()).toEqual(ALL);
    expect(await query(url, ownersSql)).toEqual([{ owner: `${name}_dba` }]);
    expect(await refusals(urlOf('service'))).toEqual(ROWS_ONLY);
  });

  test('only grants where everything was made beforehand', async () => {
    await query(url, `create role ${name}_service login password 'secret'`);
    await query(url, `alter database ${name} owner to ${name}_dba`);
    expect(await migrateAsDba()).toEqual(ALL);
    expect(await refusals(urlOf('service'))).toEqual(ROWS_ONLY);
  });

  test('refuses tables that belong to another role, and migrates as its member', async () => {
    await migrate(urlOf('service'), url);
    await query(url, `grant create on schema public to ${name}_dba`);
    await expect(migrateAsDba()).rejects.toThrow('must be owner of');
    await query(url, `grant ${name}_owner to ${name}_dba`);
    expect(await migrateAsDba()).toEqual([]);
  });

  test('needs a user apart from the owner, and a password to make it with', async () => {
    await expect(migrate(urlOf('owner'), url)).rejects.toThrow('needs a user of its own');
    await expect(migrate(urlOf('service', ''), url)).rejects.toThrow('has no password');
  });
});

test('where one role is all there is, it owns the schema as before', async () => {
  await query(url, `create role ${name}_single login password 'secret'`);
  await query(url, `alter database ${name} owner to ${name}_single`);
  expect(await migrate(urlOf('single'))).toEqual(ALL);
  expect(await query(url, ownersSql)).toEqual([{ owner: `${name}_single` }]);
});
