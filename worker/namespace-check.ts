import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { creationCommand, prepareNamespace } from './prepare-namespace.ts';

export type NamespaceCheck = ReturnType<typeof createNamespaceCheck>;

/** Keeps the namespace prepared, and knows which search attributes it lacks; logs when that changes. */
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
