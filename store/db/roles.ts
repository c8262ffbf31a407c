import pg from 'pg';
import { errorCode } from '../../platform/errors.ts';
import { connectionSettings, START_TIMEOUT_MS } from './database.ts';
import { bindParameters } from './statement.ts';

const LOGIN_REFUSED = ['28P01', '28000'];
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Makes the owner of the schema and the role of `serviceUrl`, which may read and write rows only, by the
 * connection `admin`; returns the owner's name. What is as it should be is left alone, so that an
 * administrator may have made the roles beforehand. Throws with the statements that `admin` has no right
 * to. Where both are one role, that one owns the schema and nothing is done.
 */
export async function prepareRoles(admin: pg.Client, serviceUrl: string): Promise<string> {
  const { user: service } = clientFor(serviceUrl);
  const { rows } = await admin.query<{ self: string; owner: string; maker: boolean }>(ADMIN_SQL);
  const [{ self = '', owner = '', maker = false } = {}] = rows;
  if (service === self) return self;
  if (service === owner)
    throw new Error(`"${owner}" is the owner of the schema: DATABASE_URL needs a user of its own.`);
  await makeServiceRole(admin, serviceUrl, maker);
  const missing = await runNeededStatements(admin, { owner, service });
  if (missing.length > 0) throw new Error(missingMessage(self, missing));
  return owner;
}

export function clientFor(connectionString: string): pg.Client {
  const limits = { poolSize: 1, connectTimeoutMs: START_TIMEOUT_MS };
  // A connection that is lost while it is idle fails the next statement.
  return new pg.Client(connectionSettings({ url: connectionString, ...limits })).on(
    'error',
    () => undefined,
  );
}

/** Lets one migration run at a time. The lock is that of a connection, so that it goes with a process that dies. */
export async function awaitMigrationTurn(admin: pg.Client, lockTimeoutMs: number): Promise<void> {
  await admin.query(`select pg_advisory_lock(hashtext('lead-intake migrate'))`);
  await admin.query(`set lock_timeout = ${lockTimeoutMs}`);
}

/** pg_trgm finds no letters outside ASCII when the cluster's LC_CTYPE is C. */
export async function assertTrigramsOfArabic(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ count: number }>(
    `select cardinality(show_trgm('دبي')) as count`,
  );
  if (rows[0] && rows[0].count > 0) return;
  throw new Error(
    'This Postgres finds no trigrams in Arabic text: its LC_CTYPE is "C". ' +
      'Initialise the cluster with --encoding=UTF8 --locale=C.UTF-8.',
  );
}

/** Frees the space of rows and index entries, and takes the statistics of columns anew. */
export function vacuumStatement(tables: readonly string[]): string {
  return `vacuum (index_cleanup on, analyze) ${tables.join(', ')}`;
}

/** False where the role may not: only the owner of the tables vacuums them. */
export async function vacuumAsOwner(ownerUrl: string, tables: readonly string[]): Promise<boolean> {
  const client = clientFor(ownerUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ owns: boolean }>(OWNS_SQL, [tables]);
    if (!rows[0]?.owns) return false;
    await client.query(vacuumStatement(tables));
    return true;
  } finally {
    await client.end();
  }
}

const OWNS_SQL = `
select bool_and(pg_has_role(relowner, 'usage')) as owns from pg_class
where relnamespace = 'public'::regnamespace and relname = any ($1)`;

/** A superuser's tables belong to a role that is none, so that no migration runs with a superuser's rights. */
const ADMIN_SQL = `
select current_user::text as self, self.rolsuper or self.rolcreaterole as maker,
  case when self.rolsuper or pg_has_role(owner.oid, 'member') then current_database() || '_owner'
    else current_user::text end as owner
from pg_roles self
left join pg_roles owner on owner.rolname = current_database() || '_owner'
where self.rolname = current_user`;

/** A role that can log in is left alone; else it is created, or gets the password of the address. */
async function makeServiceRole(admin: pg.Client, serviceUrl: string, isMaker: boolean) {
  if (await canLogIn(serviceUrl)) return;
  const { user = '', password } = clientFor(serviceUrl);
  if (!password) throw new Error(`DATABASE_URL has no password for its user "${user}".`);
  const found = await admin.query('select from pg_roles where rolname = $1', [user]);
  const verb = found.rowCount === 0 ? 'create' : 'alter';
  const statement = `${verb} role ${pg.escapeIdentifier(user)} login password`;
  const refusal = new Error(missingMessage(admin.user, [`${statement} '…'`]));
  // Not tried without the right: the server's log would quote the statement, with the password.
  if (!isMaker) throw refusal;
  await admin.query(`${statement} ${pg.escapeLiteral(password)}`).catch(ignoreRefusal);
  if (!(await canLogIn(serviceUrl))) throw refusal;
}

async function canLogIn(url: string): Promise<boolean> {
  const service = clientFor(url);
  try {
    await service.connect();
    return true;
  } catch (error) {
    // The driver fails by itself where the address has no password.
    if (LOGIN_REFUSED.includes(errorCode(error)) || !service.password) return false;
    ignoreRefusal(error); // to this database, not yet
    return true;
  } finally {
    await service.end();
  }
}

function ignoreRefusal(error: unknown): void {
  if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
}

function missingMessage(user: string | undefined, statements: readonly string[]): string {
  const lines = statements.map((statement) => `  ${statement};`);
  return `"${user}" has no right to the following. Let an administrator run it in this database, then migrate again:\n${lines.join('\n')}`;
}

/** Repeats as long as it helps, since who no longer owns a table needs a right to its rows. Returns what is left. */
async function runNeededStatements(
  admin: pg.Client,
  names: object,
  before: readonly string[] = [],
): Promise<string[]> {
  const [text, values] = bindParameters(NEEDED_STATEMENTS_SQL, names);
  const { rows } = await admin.query<{ statement: string }>(text, [...values]);
  const needed = rows.map(({ statement }) => statement);
  if (needed.join() === before.join()) return needed;
  for (const statement of needed) await admin.query(statement).catch(ignoreRefusal);
  return runNeededStatements(admin, names, needed);
}

/**
 * Each statement only where the catalogue says that it is needed. A service that runs keeps its right to the
 * rows of a table while it loses the table. An import stages listings in a temporary table.
 */
const NEEDED_STATEMENTS_SQL = `
with owner as (select :owner::text as name, (select oid from pg_roles where rolname = :owner) as oid),
service as (select rolname as name, * from pg_roles where rolname = :service),
here as (select * from pg_database where datname = current_database()),
tables as (
  select oid, oid::regclass as name, relowner, relacl, case when relname = 'mikro_orm_migrations' then '{select}'
    else '{select, insert, update, delete}' end::text[] as rights
  from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')),
objects as (
  select 'pg_class'::regclass as class, oid, relowner as owner from tables
  union all select 'pg_proc'::regclass, p.oid, proowner from pg_proc p
  where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e'))
select statement from (
  select 1 as at, format('alter role %I nosuperuser nocreatedb nocreaterole noreplication nobypassrls', s.name)
  from service s where rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls
  union all select 2, format('create role %I nologin', o.name) from owner o where o.oid is null
  union all select 3, format('revoke %I from %I', o.name, s.name)
  from owner o, service s join pg_auth_members m on member = s.oid where roleid = o.oid
  union all select 4, format('alter database %I owner to %I', datname, o.name) from here join service s on datdba = s.oid, owner o
  union all select 5, format('alter schema public owner to %I', o.name)
  from pg_namespace join service s on nspowner = s.oid, owner o where nspname = 'public'
  union all select 6, format('grant create on database %I to %I', datname, o.name) from here, owner o
  where (o.oid is null or not has_database_privilege(o.oid, here.oid, 'create'))
    and (select count(*) from pg_extension where extname in ('pg_trgm', 'unaccent')) < 2
  union all select 7, format('grant create, usage on schema public to %I', o.name) from owner o
  where o.oid is null or not has_schema_privilege(o.oid, 'public', 'create')
  union all select 8, format('revoke create on schema public from %s', case grantee when 0 then 'public' else quote_ident(s.name) end)
  from service s, pg_namespace, aclexplode(nspacl)
  where nspname = 'public' and privilege_type = 'CREATE' and grantee in (0, s.oid)
  union all select 9, format('revoke create on database %I from %I', datname, s.name)
  from service s, here, aclexplode(datacl) where privilege_type = 'CREATE' and grantee = s.oid
  union all select 10, format('alter %s %s owner to %I', type, identity, o.name) ||
    case when objects.owner = s.oid and class = 'pg_class'::regclass
      then format('; grant select, insert, update, delete on %s to %I', identity, s.name) else '' end
  from owner o, service s, objects, pg_identify_object(class, objects.oid, 0)
  where o.oid is distinct from objects.owner
  union all select 11, format('grant connect, temporary on database %I to %I', datname, s.name) from here, service s
  where not (has_database_privilege(s.oid, here.oid, 'connect') and has_database_privilege(s.oid, here.oid, 'temporary'))
  union all select 12, format('grant usage on schema public to %I', s.name) from service s
  where not has_schema_privilege(s.oid, 'public', 'usage')
  union all select 13, format('alter default privileges for role %I in schema public grant select, insert, update, delete on tables to %I', o.name, s.name)
  from owner o, service s
  where 4 > (select count(*) from pg_default_acl, aclexplode(defaclacl)
    where defaclrole = o.oid and defaclnamespace = 'public'::regnamespace and defaclobjtype = 'r' and grantee = s.oid)
  union all select 14, format('grant %s on %s to %I', array_to_string(rights, ', '), t.name, s.name) from tables t, service s
  where exists (select from unnest(rights) r where not has_table_privilege(s.oid, t.name, r))
  union all select 15, format('revoke %s on %s from %I', privilege_type, t.name, s.name)
  from tables t, service s, aclexplode(relacl)
  where grantee = s.oid and lower(privilege_type) <> all (rights)
) as needed (at, statement) order by at, statement`;
