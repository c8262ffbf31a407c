import { randomBytes } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { pino } from 'pino';
import { prepareNamespace } from '../../worker/prepare-namespace.ts';
import { createLeadDispatcher } from '../../api/leads/lead-dispatcher.ts';
import type { LeadDispatcher } from '../../api/leads/lead-dispatcher.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { hasGrpcStatus } from '../../temporal/grpc-status.ts';
import type { Database } from '../../store/db/database.ts';
import { fromSetup } from './environment.ts';

/** As the server numbers them. */
const TYPE_NUMBERS = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
};

export type SearchAttributeTypes = Record<string, keyof typeof TYPE_NUMBERS>;

/** Without the SDK's own retries, which would go on after the end, on a closed channel. */
export function connectTo(address: string): Promise<Connection> {
  return Connection.connect({ address, interceptors: [] });
}

export interface TestNamespace {
  address: string;
  namespace: string;
}

/** A namespace of the test's own on the run's Temporal server, ready for workflows. */
export async function createTestNamespace(
  searchAttributes: SearchAttributeTypes = {},
): Promise<TestNamespace> {
  const address = fromSetup('TEST_TEMPORAL_ADDRESS');
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const connection = await connectTo(address);
  try {
    await waitUntil(() => register(connection, namespace), { what: `Namespace ${namespace}` });
    await registerSearchAttributes(connection, namespace, searchAttributes);
    await isServed(connection, namespace);
  } finally {
    await connection.close();
  }
  return { address, namespace };
}

export interface TestTemporal {
  target: TestNamespace;
  client: Client;
  /** Closed by whoever asked for it, once the workers have ended. */
  connection: Connection;
}

/** A namespace of the test's own with all that the service's workflows find in theirs, and a client of it. */
export async function openTestTemporal(): Promise<TestTemporal> {
  const target = await createTestNamespace();
  const connection = await connectTo(target.address);
  const client = new Client({ connection, namespace: target.namespace });
  await waitUntil(() => prepareNamespace(client), { what: 'The search attributes' });
  return { target, client, connection };
}

/** One that is there was registered by a call whose answer was lost. */
async function register(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
  } catch (error) {
    if (!hasGrpcStatus(error, [status.ALREADY_EXISTS])) throw error;
  }
}

async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  wanted: SearchAttributeTypes,
): Promise<void> {
  const entries = Object.entries(wanted).map(([name, type]) => [name, TYPE_NUMBERS[type]]);
  if (entries.length === 0) return;
  const searchAttributes = Object.fromEntries(entries);
  await waitUntil(
    () => connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
    {
      what: `Search attributes of ${namespace}`,
    },
  );
}

/** The server's services learn of a new namespace one after the other. */
async function isServed(connection: Connection, namespace: string): Promise<void> {
  const list = () => connection.workflowService.listWorkflowExecutions({ namespace, pageSize: 1 });
  await waitUntil(list, { what: `Namespace ${namespace}` });
}

/** The dispatcher of an API process, which logs nothing. */
export function createTestDispatcher(client: Client, database: Database): LeadDispatcher {
  const log = pino({ level: 'silent' });
  return createLeadDispatcher({ client, database, log, now: () => new Date() });
}
