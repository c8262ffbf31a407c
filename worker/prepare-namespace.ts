import { status } from '@grpc/grpc-js';
import type { Client } from '@temporalio/client';
import { hasGrpcStatus } from '../temporal/connection.ts';
import { searchAttributes } from '../workflows/contracts/search-attributes.ts';

type SearchAttribute = (typeof searchAttributes)[keyof typeof searchAttributes];
type Attributes = readonly SearchAttribute[];

/** As the server numbers the types. */
const TYPES: Record<string, number> = { KEYWORD: 2, INT: 3, BOOL: 5 };

const ALL: Attributes = Object.values(searchAttributes);

/**
 * Registers the search attributes that the workflows set, where they are missing: also after Temporal
 * lost its own store. Returns those that are missing because the worker may not add them; null where it may
 * not even look.
 */
export async function prepareNamespace(client: Client): Promise<Attributes | null> {
  const missing = (await listMissing(client)) ?? (await queryMissing(client));
  if (!missing || missing.length === 0) return missing;
  const added = await unlessRefused(() => addSearchAttributes(client, missing));
  return added === null ? missing : [];
}

async function listMissing(client: Client): Promise<Attributes | null> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  const listed = await unlessRefused(() => operatorService.listSearchAttributes({ namespace }));
  const names = Object.keys(listed?.customAttributes ?? {});
  return listed && ALL.filter(({ name }) => !names.includes(name));
}

/** A namespace's ordinary clients may query it, and the server refuses a query by an attribute that it does not know. */
async function queryMissing(client: Client): Promise<Attributes | null> {
  if (await unlessRefused(() => isKnown(client, ALL))) return [];
  // Where not even this query is valid, the others would say nothing.
  if (!(await unlessRefused(() => isKnown(client, [])))) return null;
  const found = ALL.map(async (each) => ((await isKnown(client, [each])) ? [] : [each]));
  return (await Promise.all(found)).flat();
}

async function isKnown(client: Client, attributes: Attributes): Promise<boolean> {
  const query = [`WorkflowId = 'none'`, ...attributes.map(({ name }) => `${name} IS NULL`)];
  const { namespace } = client.options;
  try {
    await client.connection.workflowService.countWorkflowExecutions({
      namespace,
      query: query.join(' AND '),
    });
    return true;
  } catch (error) {
    if (hasGrpcStatus(error, [status.INVALID_ARGUMENT])) return false;
    throw error;
  }
}

export async function addSearchAttributes(client: Client, attributes: Attributes = ALL) {
  const types = attributes.map(({ name, type }) => [name, TYPES[type] as never]);
  return client.connection.operatorService.addSearchAttributes({
    namespace: client.options.namespace,
    searchAttributes: Object.fromEntries(types),
  });
}

/** Temporal Cloud and authorizers keep these calls to administrators. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  return work().catch((error: unknown) => {
    if (hasGrpcStatus(error, [status.PERMISSION_DENIED, status.UNIMPLEMENTED])) return null;
    throw error;
  });
}

const CLI_TYPES: Record<string, string> = { KEYWORD: 'Keyword', INT: 'Int', BOOL: 'Bool' };

/** The command by which an administrator adds them. */
export function creationCommand(namespace: string, attributes: Attributes = ALL): string {
  const options = attributes.map(({ name, type }) => `--name ${name} --type ${CLI_TYPES[type]}`);
  return ['temporal operator search-attribute create', `--namespace ${namespace}`, ...options].join(
    ' ',
  );
}
