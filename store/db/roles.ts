import { readFileSync } from 'node:fs';
import pg from 'pg';
import { errorCode } from '../../platform/errors.ts';
import { connectionSettings, START_TIMEOUT_MS } from './database.ts';

const LOGIN_REFUSED = ['28P01', '28000'];
const INSUFFICIENT_PRIVILEGE = '42501';

const ROLES_SQL = readFileSync(new URL('roles.sql', import.meta.url), 'utf8');

/**
 * Returns the owner's name. If owner and `serviceUrl` are one role, it owns the schema and nothing is done.
 */
export async function prepareRoles(admin: pg.Client, serviceUrl: string): Promise<string> {
  const { user: service = '', password } = clientFor(serviceUrl);
  const { rows } = await admin.query<{ self: string; owner: string }>(OWNER_SQL);
  const [{ self = '', owner = '' } = {}] = rows;
  if (service === self) return self;
  if (service === owner)
    throw new Error(`"${owner}" is the owner of the schema: DATABASE_URL needs a user of its own.`);
  const isRefused = !(await canLogIn(serviceUrl));
  if (isRefused && !password)
    throw new Error(`DATABASE_URL has no password for its user "${service}".`);
  await admin.query(
    `select set_config('roles.' || name, value, false) from json_each_text($1) settings (name, value)`,
    [JSON.stringify({ owner, service, password: password ?? '', refused: String(isRefused) })],
  );
  await admin.query(ROLES_SQL).catch((error: Error) => {
    if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      `"${self}" may not prepare the roles "${owner}" and "${service}" (${error.message}). ` +
        'Let an administrator create them and grant their rights: see docs/operations.md.',
    );
  });
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

/** A superuser's tables belong to a role of their own, so that no migration runs with a superuser's rights. */
const OWNER_SQL = `
select current_user::text as self,
  case when self.rolsuper or pg_has_role(owner.oid, 'member') then current_database() || '_owner'
    else current_user::text end as owner
from pg_roles self
left join pg_roles owner on owner.rolname = current_database() || '_owner'
where self.rolname = current_user`;

async function canLogIn(url: string): Promise<boolean> {
  const service = clientFor(url);
  try {
    await service.connect();
    return true;
  } catch (error) {
    // The driver fails by itself if the address has no password.
    if (LOGIN_REFUSED.includes(errorCode(error)) || !service.password) return false;
    if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error; // to this database, not yet
    return true;
  } finally {
    await service.end();
  }
}
