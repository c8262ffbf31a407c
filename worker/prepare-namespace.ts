import type { Client } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
import type { Logger } from 'pino';
import { status } from '@grpc/grpc-js';
import { hasGrpcStatus } from '../temporal/connection.ts';
import { searchAttributes } from '../workflows/contracts/search-attributes.ts';

export function createNamespaceCheck(client: Client, log: Logger) {
  const { namespace } = client.options;
  let missing: readonly string[] = [];
  let reported = '[]';

  async function run(): Promise<void> {
    const found = await prepareNamespace(client);
    missing = found?.map(({ name }) => name) ?? [];
    if (JSON.stringify(found) === reported) return;
    reported = JSON.stringify(found);
    if (!found) log.warn({ command: creationCommand(namespace) }, UNCHECKED);
    else if (missing.length === 0) log.info('all search attributes exist now');
    else log.warn({ missing, command: creationCommand(namespace, found) }, MISSING);
  }

  return { run, missing: () => missing };
}

const MISSING =
  'Search attributes are missing, and this worker has no right to add them. Workflows run without them; ask an administrator of the namespace to run the command.';
const UNCHECKED =
  'It could not be checked whether the search attributes exist: this worker has no right to list them or to query by them. If one is missing, workflows wait until an administrator of the namespace has run the command.';

type Attributes = readonly (typeof searchAttributes)[keyof typeof searchAttributes][];

const ALL: Attributes = Object.values(searchAttributes);

/** The attributes that the worker may not add. Null if it may not list or query them either. */
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

/** Any client may query, and the server refuses queries by an unknown attribute. */
async function queryMissing(client: Client): Promise<Attributes | null> {
  if (await unlessRefused(() => isKnown(client, ALL))) return [];
  // If not even this query is valid, the others prove nothing.
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
  const types = attributes.map(({ name, type }) => [
    name,
    encodeSearchAttributeIndexedValueType(type),
  ]);
  return client.connection.operatorService.addSearchAttributes({
    namespace: client.options.namespace,
    searchAttributes: Object.fromEntries(types),
  });
}

/** Temporal Cloud and authorizers reserve these calls for administrators. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  return work().catch((error: unknown) => {
    if (hasGrpcStatus(error, [status.PERMISSION_DENIED, status.UNIMPLEMENTED])) return null;
    throw error;
  });
}

function creationCommand(namespace: string, attributes: Attributes = ALL): string {
  const options = attributes.map(({ name, type }) => {
    const cliType = type.charAt(0) + type.slice(1).toLowerCase(); // such as Keyword
    return ` --name ${name} --type ${cliType}`;
  });
  return `temporal operator search-attribute create --namespace ${namespace}${options.join('')}`;
}
