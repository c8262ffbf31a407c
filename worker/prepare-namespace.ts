import type { Client } from '@temporalio/client';
import { searchAttributes } from '../workflows/contracts/search-attributes.ts';

/** As the server numbers the types. */
const TYPES: Record<string, number> = { KEYWORD: 2, INT: 3, BOOL: 5 };

/**
 * Registers the search attributes that the workflows set, where they are missing: also after Temporal
 * lost its own store.
 */
export async function prepareNamespace(client: Client): Promise<void> {
  const { namespace } = client.options;
  const known = await client.connection.operatorService.listSearchAttributes({ namespace });
  await addSearchAttributes(client, Object.keys(known.customAttributes ?? {}));
}

/** All but those that the namespace has already. */
export async function addSearchAttributes(client: Client, known: readonly string[] = []) {
  const missing = Object.values(searchAttributes).filter(({ name }) => !known.includes(name));
  if (missing.length === 0) return;
  const types = missing.map(({ name, type }) => [name, TYPES[type] as never]);
  await client.connection.operatorService.addSearchAttributes({
    namespace: client.options.namespace,
    searchAttributes: Object.fromEntries(types),
  });
}
