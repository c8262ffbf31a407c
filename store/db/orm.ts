import { UnderscoreNamingStrategy, type EntityMetadata } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { entities } from '../tables/index.ts';
import { migrations } from '../migrations/index.ts';

export interface ConnectionOptions {
  url: string;
  poolSize: number;
  /**
   * After which a statement is cancelled, here and in the database, and an idle transaction is ended there:
   * others wait for the locks of a process that froze or vanished.
   */
  queryTimeoutMs?: number;
  /** To get a connection, a free one of the pool or a new one; 5 s by default. */
  connectTimeoutMs?: number;
  /** After which the database cancels a statement. */
  statementTimeoutMs?: number;
  /** After which a statement that waits for a lock is cancelled. */
  lockTimeoutMs?: number;
  /**
   * Plans each prepared statement once per connection; otherwise large ones are planned at every call. By its
   * indexes, since a table that is small at that moment grows while the plan is kept.
   */
  genericPlans?: boolean;
  /** What the user of `url` acts as, where it is not itself. */
  role?: string;
}

const REPORTING_VIEWS = ['cost_per_lead', 'lead_volume', 'lead_assignments'];
const GENERIC_PLANS = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off'];
/** A statement ends within a second of the process that asked for it, be it by Ctrl-C or kill -9. */
const ENDS_WITH_ITS_CLIENT = 'client_connection_check_interval=1000';

/** For Postgres at `url`, at first use; no database is made and nothing is migrated here (see migrator.ts). */
export async function connectOrm(options: ConnectionOptions): Promise<MikroORM> {
  const { queryTimeoutMs, role } = options;
  const settings = [
    ENDS_WITH_ITS_CLIENT,
    ...(options.genericPlans ? GENERIC_PLANS : []),
    ...(role ? [`role=${role.replaceAll(/[\\\s]/g, '\\$&')}`] : []),
  ];
  return MikroORM.init({
    clientUrl: options.url,
    entities,
    namingStrategy: PostgresNames,
    discovery: { onMetadata: clearImpliedRules },
    // The migrations alone define the views of the reports, functions and triggers.
    schemaGenerator: { skipViews: REPORTING_VIEWS, ignoreRoutines: true, ignoreTriggers: true },
    extensions: [Migrator],
    ensureDatabase: false,
    // A connection is opened when it is needed and then kept: a new one costs a process of Postgres, a
    // handshake and a plan of each statement. By default it would be closed after ten idle seconds.
    pool: { min: options.poolSize, max: options.poolSize },
    migrations: { migrationsList: migrations, snapshot: false, silent: true },
    driverOptions: {
      // The ORM itself reads no parameters of the address, such as `sslmode`.
      connectionString: options.url,
      keepAlive: true,
      // Statements that a transaction issues together are sent together, and run in that order.
      pipeline: true,
      options: settings.map((setting) => `-c ${setting}`).join(' '),
      connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
      lock_timeout: options.lockTimeoutMs,
      query_timeout: queryTimeoutMs,
      statement_timeout: options.statementTimeoutMs ?? queryTimeoutMs,
      idle_in_transaction_session_timeout: queryTimeoutMs,
    },
  });
}

/** The names that Postgres itself gives to constraints. */
class PostgresNames extends UnderscoreNamingStrategy {
  override indexName(...[table, columns, type]: Parameters<UnderscoreNamingStrategy['indexName']>) {
    const suffixes: Partial<Record<typeof type, string>> = {
      foreign: 'fkey',
      primary: 'pkey',
      unique: 'key',
    };
    return [table, ...(type === 'primary' ? [] : columns), suffixes[type] ?? type].join('_');
  }
}

/** A foreign key has no rule of its own unless the entity says so; the ORM would cascade some of them. */
function clearImpliedRules(entity: EntityMetadata): void {
  for (const property of Object.values(entity.properties)) {
    if (property.kind !== 'm:1') continue;
    property.deleteRule ??= 'no action';
    property.updateRule ??= 'no action';
  }
}
