import { UnderscoreNamingStrategy, type EntityMetadata } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { entities } from '../tables/index.ts';
import { migrations } from '../migrations/index.ts';
import { connectionSettings, type ConnectionOptions } from './database.ts';

export type Orm = MikroORM;

const REPORTING_VIEWS = ['cost_per_lead', 'lead_volume', 'lead_assignments'];
/**
 * For migrations and records that an operator edits one at a time. Connects at first use; migrates nothing.
 */
export async function connectOrm(options: ConnectionOptions): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl: options.url,
    entities,
    namingStrategy: PostgresNames,
    discovery: { onMetadata: clearImpliedRules },
    // The migrations alone define the views of the reports, functions and triggers.
    schemaGenerator: { skipViews: REPORTING_VIEWS, ignoreRoutines: true, ignoreTriggers: true },
    extensions: [Migrator],
    ensureDatabase: false,
    pool: { max: options.poolSize },
    migrations: { migrationsList: migrations, snapshot: false, silent: true },
    // The ORM itself reads no parameters of the address, such as `sslmode`.
    driverOptions: connectionSettings(options),
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
