import type { EntityMetadata } from '@mikro-orm/core';
import { UnderscoreNamingStrategy } from '@mikro-orm/core';

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

/** How the entities are compared with what the migrations made. */
export const schemaOptions = {
  namingStrategy: PostgresNames,
  discovery: { onMetadata: clearImpliedRules },
  schemaGenerator: {
    // The migrations alone define the views of the reports and the functions that fold texts.
    skipViews: ['cost_per_lead', 'lead_volume'],
    ignoreRoutines: true,
  },
};
