import type { PoolConfig } from 'pg';

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

const GENERIC_PLANS = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off'];
/** A statement ends within a second of the process that asked for it, be it by Ctrl-C or kill -9. */
const ENDS_WITH_ITS_CLIENT = 'client_connection_check_interval=1000';

/** How every process connects to Postgres. */
export function connectionSettings(options: ConnectionOptions) {
  const { queryTimeoutMs, role } = options;
  const settings = [
    ENDS_WITH_ITS_CLIENT,
    ...(options.genericPlans ? GENERIC_PLANS : []),
    ...(role ? [`role=${role.replaceAll(/[\\\s]/g, '\\$&')}`] : []),
  ];
  return {
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
  } satisfies PoolConfig & { pipeline: boolean };
}
