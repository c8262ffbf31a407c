import type { EntitySchema } from '@mikro-orm/core';

interface Property {
  kind?: string;
  name?: string;
  generated?: unknown;
  joinColumns?: unknown;
}

/** The columns that an INSERT may name, in the order of the entity; Postgres writes the generated ones. */
export function columnsOf({ meta }: Pick<EntitySchema, 'meta'>): string[] {
  return Object.entries<Property>(meta.properties)
    .filter(([, { generated, joinColumns }]) => !generated && !joinColumns)
    .map(([key, { name, kind }]) => name ?? snakeCase(key) + (kind === 'm:1' ? '_id' : ''));
}

export const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
