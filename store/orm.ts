import { MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { entities } from './entities.ts';
import { migrations } from './migrations/index.ts';

export interface ConnectionOptions {
  url: string;
  poolSize: number;
  /** After which a statement counts as lost, for processes that owe somebody an answer. */
  queryTimeoutMs?: number;
}

/** For Postgres at `url`, at first use; no database is made and nothing is migrated here (see migrator.ts). */
export async function connectOrm(options: ConnectionOptions): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl: options.url,
    entities,
    extensions: [Migrator],
    ensureDatabase: false,
    pool: { min: 0, max: options.poolSize },
    migrations: { migrationsList: migrations, snapshot: false, transactional: true },
    driverOptions: {
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      ...(options.queryTimeoutMs ? { query_timeout: options.queryTimeoutMs } : {}),
    },
  });
}
