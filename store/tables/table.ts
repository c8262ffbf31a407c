import {
  defineEntity,
  type EntityKey,
  type EntitySchema,
  type IndexOptions,
} from '@mikro-orm/core';

export function table<const Name extends string, const Columns extends Record<string, unknown>>(
  name: Name,
  properties: Columns,
) {
  return defineEntity({ name, tableName: name, properties });
}

type Properties<Entity> = IndexOptions<Entity, EntityKey<Entity>>['properties'] & {};

/** `where` makes a partial index. */
type Indexes<Entity> = Record<string, [properties: Properties<Entity>, where?: string]>;

export function addIndexes<Entity>(entity: EntitySchema<Entity>, indexes: Indexes<Entity>): void {
  for (const [name, [properties, where = '']] of Object.entries(indexes))
    entity.addIndex({ name, properties, where });
}

export function addUniqueIndex<Entity>(entity: EntitySchema<Entity>, index: Indexes<Entity>): void {
  for (const [name, [properties, where = '']] of Object.entries(index))
    entity.addUnique({ name, properties, where });
}

export function addSqlIndexes(entity: EntitySchema, indexes: Record<string, string>): void {
  for (const [name, on] of Object.entries(indexes))
    entity.addIndex({ name, expression: `create index ${name} on ${entity.tableName} ${on}` });
}
