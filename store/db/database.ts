import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import pg, { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import type { Tables } from '../tables/index.ts';
import { connectionSettings, type ConnectionOptions } from './connection.ts';
import { retryConflicts, withKnownOutcome } from './conflicts.ts';
import { bindParameters, createPreparedNames } from './statement.ts';

/**
 * Statements on one pool, each one round trip. They are prepared once per connection, since
 * planning the large ones costs more than running them; only the first MAX_PREPARED texts, since a
 * connection keeps each until it ends. `bigint` comes as a number, times as Date.
 */
export interface Sql {
  /** Kysely, which knows the declared tables: builds the queries that `run` runs. */
  readonly tables: Kysely<Tables>;
  run<Row>(query: TypedQuery<Row>): Promise<Row[]>;
  /** For the statements whose cost was measured: `:leadId` in the text is the member of `values`. */
  query<Row extends object = QueryResultRow>(text: string, values?: object): Promise<Row[]>;
  /** The only row, or the first; null: there is none. */
  queryOne<Row extends object>(text: string, values?: object): Promise<Row | null>;
}

/** A query of Kysely with the type of its rows. */
export interface TypedQuery<Row> {
  compile(): CompiledQuery;
  execute(): Promise<Row[]>;
}

type RunStatement = <Row extends object>(
  text: string,
  values: readonly unknown[],
) => Promise<Row[]>;

/** Typed queries and texts with named parameters, both run by `run`. */
export function createSql(tables: Sql['tables'], run: RunStatement): Sql {
  return {
    tables,
    query: async (text, values = []) => run(...bindParameters(text, values)),
    async queryOne<Row extends object>(text: string, values: object = []) {
      const [row] = await run<Row>(...bindParameters(text, values));
      return row ?? null;
    },
    run(query: TypedQuery<never>) {
      const { sql, parameters } = query.compile();
      return run<never>(sql, parameters);
    },
  };
}

export interface Database extends Sql {
  /**
   * READ COMMITTED unless said otherwise; rolled back when `work` throws. Rejects with an
   * `UnknownCommitError` where the commit may have happened all the same.
   */
  transaction<T>(
    work: (sql: TransactionSql) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Calls `listener` with every statement from now on; returns how to stop it. */
  onStatement(listener: StatementListener): () => void;
  close(): Promise<void>;
}

/** Statements within a transaction. */
export interface TransactionSql extends Sql {
  /** The last statement, sent together with the commit; resolves when both are done. */
  queryAndCommit<Row extends object>(text: string, values: object): Promise<Row[]>;
}

type StatementListener = (text: string, values: readonly unknown[]) => void;

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read';
  readOnly?: boolean;
  /** After which a statement that waits for a lock fails with the code 55P03. */
  lockTimeoutMs?: number;
  /**
   * How often `work` is run again from its beginning after a conflict with another transaction: a
   * deadlock, or a unique key that appeared after it had read.
   */
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
  const { poolSize } = options;
  const pool = new pg.Pool({ ...connectionSettings(options), min: poolSize, max: poolSize });
  // A connection that is lost fails the statement that needs it; the next one opens another.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const tables = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  // A database that is unreachable or missing fails the start, not the first request.
  await pool.query('select 1');
  const listeners = new Set<StatementListener>();
  const preparedName = createPreparedNames();

  async function run<Row extends object>(
    on: Pool | PoolClient,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    for (const listener of listeners) listener(text, values);
    const statement = { name: preparedName(text), text, values: [...values], types };
    const { rows } = await on.query<Row & QueryResultRow>(statement);
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
      ].join('; ');
      let isCommitted = false;
      const commit = async () => {
        isCommitted = true;
        await client.query('commit');
      };
      const sql: TransactionSql = {
        ...createSql(tables, (text, values) => run(client, text, values)),
        async queryAndCommit(text, values) {
          const statement = run<never>(client, ...bindParameters(text, values));
          const [rows] = await withKnownOutcome(Promise.all([statement, commit()]));
          return rows;
        },
      };
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

  return {
    ...createSql(tables, (text, values) => run(pool, text, values)),
    transaction: (work, options = {}) =>
      retryConflicts(() => transactionOnce(work, options), options.retries ?? 0),
    onStatement(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => pool.end(),
  };
}
