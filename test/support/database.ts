import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Config } from '../../platform/config.ts';
import { connectOrm } from '../../store/db/orm.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { fromSetup } from './environment.ts';

export interface TestDatabase {
  /** The URL of the role of API, worker and leadctl, which reads and writes rows only. */
  url: string;
  /** May do anything. */
  adminUrl: string;
  drop(): Promise<void>;
}

/** A migrated, empty database of the test's own: a copy of the template that test/setup.mjs made. */
export const createTestDatabase = (): Promise<TestDatabase> => copyOf('template_migrated');

async function copyOf(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(`create database ${name} template ${template} strategy file_copy`);
  return {
    url: withDatabase(fromSetup('TEST_SERVICE_URL'), name),
    adminUrl: withDatabase(fromSetup('TEST_DATABASE_URL'), name),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  };
}

/** A copy of `original`, whose connections have all been closed: what a restored backup of that moment is. */
export async function copyDatabase(original: TestDatabase): Promise<TestDatabase> {
  const name = new URL(original.url).pathname.slice(1);
  // A process of Postgres ends a moment after its connection; no database is copied before.
  return waitUntil(() => copyOf(name), { what: `The copy of ${name}` });
}

/** Lends an EntityManager, by which operators change one record at a time. */
export async function withEntityManager<T>(
  { config }: { config: Config },
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const { url } = config.database;
  const orm = await connectOrm({ url, poolSize: 1, connectTimeoutMs: 60_000 });
  return work(orm.em.fork()).finally(() => orm.close(true));
}

export const withDatabase = (url: string, name: string) =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href;

/** The address of the same database, with all rights. */
export const adminUrlOf = (url: string) =>
  withDatabase(fromSetup('TEST_DATABASE_URL'), new URL(url).pathname.slice(1));

/** In the database of `url`, with all rights. */
export const asAdmin = (url: string, ...statements: string[]) => run(adminUrlOf(url), statements);

const onServer = (statement: string) => run(fromSetup('TEST_DATABASE_URL'), [statement]);

async function run(connectionString: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
