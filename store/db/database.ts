import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { CompiledQuery, Kysely } from 'kysely';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import pg from 'pg';
import type { Tables } from '../tables/index.ts';

/**
 * Statements on MikroORM's own pool, each one round trip. They are prepared once per connection, since
 * planning the large ones costs more than running them; only the first MAX_PREPARED texts, since a
 * connection keeps each until it ends. `bigint` comes as a number, times as Date.
 */
export interface Sql {
  /** MikroORM's Kysely, which knows the declared tables: builds the queries that `run` runs. */
  readonly tables: Kysely<Tables>;
  run<Row>(query: TypedQuery<Row>): Promise<Row[]>;
  /** For the statements whose cost was measured, written by hand. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A query of Kysely with the type of its rows. */
export interface TypedQuery<Row> {
  compile(): CompiledQuery;
  execute(): Promise<Row[]>;
}

/** Runs typed queries the way `query` runs texts, so that both kinds share a transaction. */
export function createSql(tables: Sql['tables'], query: Sql['query']): Sql {
  const run = (typed: TypedQuery<never>) => {
    const { sql, parameters } = typed.compile();
    return query<never>(sql, parameters);
  };
  return { tables, query, run };
}

export interface Database extends Sql {
  /** READ COMMITTED unless said otherwise; rolled back when `work` throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Calls `listener` with every statement from now on; returns how to stop it. */
  onStatement(listener: StatementListener): () => void;
  readonly orm: MikroORM;
  close(): Promise<void>;
}

type StatementListener = (text: string, values: readonly unknown[]) => void;

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read';
  readOnly?: boolean;
  /**
   * How often `work` is run again from its beginning where another transaction was in its way: a
   * deadlock, or a unique key that appeared after it had looked.
   */
  retries?: number;
}

const DEADLOCK = '40P01';
const UNIQUE_VIOLATION = '23505';
const MAX_PAUSE_MS = 20;

function isInTheWay(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === DEADLOCK || code === UNIQUE_VIOLATION;
}

/** Runs `attempt` again, after a pause of random length, as long as another transaction is in its way. */
async function retried<T>(attempt: () => Promise<T>, retries: number): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (retries === 0 || !isInTheWay(error)) throw error;
  }
  await setTimeout(Math.random() * MAX_PAUSE_MS);
  return retried(attempt, retries - 1);
}

const INT8 = 20;
const TEXT_DATE = 1082;
const types = new pg.TypeOverrides();
types.setTypeParser(INT8, Number);
types.setTypeParser(TEXT_DATE, (text) => text);

/** Several times what the code holds: what goes beyond is put together from what was asked. */
export const MAX_PREPARED = 1000;
const statementNames = new Map<string, string>();

/** Undefined for a text that is not to be prepared. */
function statementName(text: string): string | undefined {
  const known = statementNames.get(text);
  if (known || statementNames.size >= MAX_PREPARED) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  statementNames.set(text, name);
  return name;
}

export async function createDatabase(orm: MikroORM): Promise<Database> {
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  // A database that is away, or that there is none of, is a fault of the start.
  await pool.query('select 1');
  const listeners = new Set<StatementListener>();
  const tables = orm.em.getKysely<Tables>();

  async function run<Row extends QueryResultRow>(
    on: Pool | PoolClient,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    for (const listener of listeners) listener(text, values);
    const result = await on.query<Row>({
      name: statementName(text),
      text,
      values: [...values],
      types,
    });
    return result.rows;
  }

  async function transactionOnce<T>(
    work: (sql: Sql) => Promise<T>,
    { isolation = 'read committed', readOnly = false }: TransactionOptions,
  ): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      const begin = `begin isolation level ${isolation}${readOnly ? ' read only' : ''}`;
      const sql = createSql(tables, (text, values) => run(client, text, values));
      // `begin` shares a round trip with the first statement of `work`.
      const [, result] = await Promise.all([client.query(begin), work(sql)]);
      await client.query('commit');
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
    orm,
    transaction: (work, options = {}) =>
      retried(() => transactionOnce(work, options), options.retries ?? 0),
    onStatement(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await orm.close(true);
      // The ORM ends only a pool that it has asked something itself.
      if (!pool.ended) await pool.end();
    },
  };
}
