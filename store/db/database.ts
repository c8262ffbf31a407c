import { setTimeout } from 'node:timers/promises';
import pg, { type Pool, type PoolClient, type PoolConfig, type QueryResultRow } from 'pg';
import { errorCode, isConnectionError } from '../../platform/errors.ts';
import {
  numberParameters,
  statement,
  valuesOf,
  type NoParams,
  type Statement,
} from './statement.ts';

/** How long a process waits at its start: the machine may be starting all else, or Postgres be recovering. */
export const START_TIMEOUT_MS = 30_000;

export interface ConnectionOptions {
  url: string;
  poolSize: number;
  /**
   * How long a statement may run before it is cancelled, here and in the database, and how long a transaction may be idle
   * there: others wait for the locks of a process that froze or vanished.
   */
  queryTimeoutMs?: number;
  /** How long to wait for a connection, a free one of the pool or a new one; 5 s by default. */
  connectTimeoutMs?: number;
  /** How long to wait for the first connection: as for any other where that is given, else `START_TIMEOUT_MS`. */
  startTimeoutMs?: number;
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
  /** Plans each statement once. By indexes, since a small table may grow meanwhile. */
  genericPlans?: boolean;
  /** The role as which the user of `url` acts, where it is not its own. */
  role?: string;
}

const GENERIC_PLANS = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off'];
/**
 * A statement ends within a second of the process that asked for it, be it by Ctrl-C or kill -9, and a session with its locks
 * half a minute after the machine of that process vanished; by default Postgres notices it after two hours.
 */
const ENDS_WITH_ITS_CLIENT = [
  'client_connection_check_interval=1000',
  'tcp_keepalives_idle=15',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
];
/** Closed ten seconds later if nobody answers: a firewall may have forgotten idle connections. */
const PROBED_AFTER_MS = 10_000;
/** How long a transaction of a command may be idle in the database: others wait for the locks of one that Ctrl-Z suspended. */
const IDLE_COMMAND_MS = 120_000;
const WITHOUT_IDLE_LIMIT = 'set local idle_in_transaction_session_timeout = 0';

export function connectionSettings(options: ConnectionOptions) {
  const { queryTimeoutMs, role } = options;
  const settings = [
    ...ENDS_WITH_ITS_CLIENT,
    ...(options.genericPlans ? GENERIC_PLANS : []),
    ...(role ? [`role=${role.replaceAll(/[\\\s]/g, '\\$&')}`] : []),
  ];
  return {
    connectionString: options.url,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBED_AFTER_MS,
    // Statements that a transaction issues together are sent together, and run in that order.
    pipeline: true,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    lock_timeout: options.lockTimeoutMs,
    query_timeout: queryTimeoutMs,
    statement_timeout: options.statementTimeoutMs ?? queryTimeoutMs,
    idle_in_transaction_session_timeout: queryTimeoutMs ?? IDLE_COMMAND_MS,
  } satisfies PoolConfig & { pipeline: boolean };
}

/** Each statement is one round trip. */
export interface Sql {
  all<Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ): Promise<Row[]>;
  /** The first row, or null. */
  first<Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ): Promise<Row | null>;
  /** Runs SQL that is not prepared: for tests. */
  query<Row extends object = QueryResultRow>(text: string, values?: object): Promise<Row[]>;
  queryOne<Row extends object>(text: string, values?: object): Promise<Row | null>;
}

/** `name` left out: the text is not prepared. */
type RunText = (text: string, values: readonly unknown[], name?: string) => Promise<unknown[]>;

export function createSql(run: RunText): Sql {
  async function all<Params extends object, Row>(named: Statement<Params, Row>, params: Params) {
    return (await run(named.text, valuesOf(named, params), named.name)) as Row[];
  }
  async function query<Row extends object>(text: string, values: object = []) {
    const numbered = numberParameters(text);
    return (await run(numbered.text, valuesOf(numbered, values))) as Row[];
  }
  return {
    all,
    first: async (named, params) => (await all(named, params))[0] ?? null,
    query,
    queryOne: async <Row extends object>(text: string, values?: object) =>
      (await query<Row>(text, values))[0] ?? null,
  };
}

/** Whether Postgres takes no writes: a standby, or a role, database or server that is set to `default_transaction_read_only`. */
export async function isReadOnly(sql: Sql): Promise<boolean> {
  return (await sql.first(READ_ACCESS_MODE, {}))?.isReadOnly === true;
}

const READ_ACCESS_MODE = statement<NoParams, { isReadOnly: boolean }>('read_access_mode')`
select current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

export interface Database extends Sql {
  /** READ COMMITTED by default. Rejects with an `UnknownCommitError` if the commit may have happened. */
  transaction<T>(
    work: (sql: TransactionSql) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Calls `listener` with every statement from now on; returns how to stop it. */
  onStatement(listener: StatementListener): () => void;
  close(): Promise<void>;
}

export interface TransactionSql extends Sql {
  /** The last statement, sent together with the commit; resolves when both are done. */
  allAndCommit<Params extends object, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ): Promise<Row[]>;
}

type StatementListener = (text: string, values: readonly unknown[]) => void;

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read';
  readOnly?: boolean;
  /** How long a statement may wait for a lock before it fails with the code 55P03. */
  lockTimeoutMs?: number;
  /** After a deadlock, or a unique key that appeared after `work` had read. */
  retries?: number;
}

/** For reads that belong together: all see the database as it is at the first of them. */
export const SNAPSHOT = { isolation: 'repeatable read', readOnly: true } as const;

const INT8 = 20;
const DATE = 1082;
const types = new pg.TypeOverrides();
types.setTypeParser(INT8, Number);
types.setTypeParser(DATE, (text) => text);

/** The ORM has no part in it: its modules take longer to load than most commands take to run. */
export async function connectDatabase(options: ConnectionOptions): Promise<Database> {
  // A connection is opened when it is needed and then kept: a new one costs a process of Postgres, a
  // handshake and a plan of each statement. By default it would be closed after ten idle seconds.
  const { poolSize, startTimeoutMs } = options;
  const settings = { ...connectionSettings(options), min: poolSize, max: poolSize };
  const connectTimeoutMs = settings.connectionTimeoutMillis;
  const firstTimeoutMs = startTimeoutMs ?? options.connectTimeoutMs ?? START_TIMEOUT_MS;
  const pool = new pg.Pool({ ...settings, connectionTimeoutMillis: firstTimeoutMs });
  // A connection that is lost fails the statement that needs it; the next one opens another.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  // A database that is unreachable or missing fails the start, not the first request.
  await pool.query('select 1');
  pool.options.connectionTimeoutMillis = connectTimeoutMs;
  const listeners = new Set<StatementListener>();

  async function run(
    on: Pool | PoolClient,
    ...[text, values, name]: Parameters<RunText>
  ): Promise<unknown[]> {
    for (const listener of listeners) listener(text, values);
    const { rows } = await on.query<QueryResultRow>({ name, text, values: [...values], types });
    return rows;
  }

  async function transactionOnce<T>(
    work: (sql: TransactionSql) => Promise<T>,
    { isolation = 'read committed', readOnly = false, lockTimeoutMs }: TransactionOptions,
  ): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      const begin = [
        `begin isolation level ${isolation}${readOnly ? ' read only' : ''}`,
        ...(lockTimeoutMs === undefined ? [] : [`set local lock_timeout = ${lockTimeoutMs}`]),
        // A command waits for whoever reads what it prints, as in `export | less`; nobody waits for what it reads.
        ...(readOnly && options.queryTimeoutMs === undefined ? [WITHOUT_IDLE_LIMIT] : []),
      ].join('; ');
      let isCommitted = false;
      const commit = async () => {
        isCommitted = true;
        await client.query('commit');
      };
      const statements = createSql((...prepared) => run(client, ...prepared));
      const sql: TransactionSql = Object.assign(statements, {
        async allAndCommit<Params extends object, Row>(
          last: Statement<Params, Row>,
          params: Params,
        ) {
          const values = valuesOf(last, params);
          const rows = run(client, last.text, values, last.name) as Promise<Row[]>;
          return (await withKnownOutcome(Promise.all([rows, commit()])))[0];
        },
      });
      // `begin` shares a round trip with the first statement of `work`.
      const [, result] = await Promise.all([client.query(begin), work(sql)]);
      if (!isCommitted) await withKnownOutcome(commit());
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  const statements = createSql((...prepared) => run(pool, ...prepared));
  return Object.assign(statements, {
    transaction: <T>(
      work: (sql: TransactionSql) => Promise<T>,
      options: TransactionOptions = {},
    ): Promise<T> => retryConflicts(() => transactionOnce(work, options), options.retries ?? 0),
    onStatement(listener: StatementListener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => pool.end(),
  });
}

const RETRYABLE_CODES = ['40P01', '23505'];
const MAX_PAUSE_MS = 20;
const START_PAUSE_MS = 500;

const isRetryableConflict = (error: unknown) => RETRYABLE_CODES.includes(errorCode(error));

/** Whether the database was away or too slow, so that another attempt at once would fare no better. */
export function isUnavailable(error: unknown): boolean {
  return isConnectionError(error) && !isRetryableConflict(error);
}

/** Until the database, or what else `isAway` tells of, has been away for `START_TIMEOUT_MS`. */
export async function retryAtStart<T>(
  work: () => Promise<T>,
  isAway: (error: unknown) => boolean = isUnavailable,
  until = Date.now() + START_TIMEOUT_MS,
): Promise<T> {
  for (; ; await setTimeout(START_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || Date.now() >= until) throw error;
    }
  }
}

async function retryConflicts<T>(attempt: () => Promise<T>, retries: number): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (retries === 0 || !isRetryableConflict(error)) throw error;
  }
  await setTimeout(Math.random() * MAX_PAUSE_MS);
  return retryConflicts(attempt, retries - 1);
}

/** The connection was lost while the commit was under way: nobody knows whether it happened. */
export class UnknownCommitError extends Error {
  constructor(cause: unknown) {
    super('The outcome of a commit is unknown.', { cause });
  }
}

/** Marks the loss of the connection during a commit. An error that leaves the connection open has rolled back. */
async function withKnownOutcome<T>(commit: Promise<T>): Promise<T> {
  return commit.catch((error: { severity?: string }) => {
    const isLost = isUnavailable(error) && error.severity !== 'ERROR';
    throw isLost ? new UnknownCommitError(error) : error;
  });
}
