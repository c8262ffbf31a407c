import {
  defineEntity,
  type EntityKey,
  type EntitySchema,
  type IndexOptions,
} from '@mikro-orm/core';

/** The entity of a table, which has the table's name. */
export function table<const Name extends string, const Columns extends Record<string, unknown>>(
  name: Name,
  properties: Columns,
) {
  return defineEntity({ name, tableName: name, properties });
}

type Properties<Entity> = IndexOptions<Entity, EntityKey<Entity>>['properties'] & {};

/** An index; with `where`, of the rows for which it holds. */
export function addIndex<Entity>(
  entity: EntitySchema<Entity>,
  name: string,
  properties: Properties<Entity>,
  where = '',
): void {
  entity.addIndex({ name, properties, where });
}

export function addUniqueIndex<Entity>(
  entity: EntitySchema<Entity>,
  name: string,
  properties: Properties<Entity>,
  where: string,
): void {
  entity.addUnique({ name, properties, where });
}

/** For an index of expressions: `on` is what follows the table's name. */
export function addSqlIndex(entity: EntitySchema, name: string, on: string): void {
  entity.addIndex({ name, expression: `create index ${name} on ${entity.tableName} ${on}` });
}
