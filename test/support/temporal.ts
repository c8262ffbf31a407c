import { randomBytes } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { Client, Connection } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { pino } from 'pino';
import { prepareNamespace } from '../../worker/prepare-namespace.ts';
import { createLeadDispatcher, type LeadDispatcher } from '../../api/leads/lead-dispatcher.ts';
import { signalLead as signalInTime } from '../../temporal/lead-lifecycle-client.ts';
import type { LeadEvent } from '../../workflows/contracts/lead-lifecycle.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { hasGrpcStatus } from '../../temporal/connection.ts';
import type { Database } from '../../store/db/database.ts';
import { fromSetup } from './environment.ts';

/** Connects without the SDK's own retries, which would go on after the end, on a closed channel. */
export function connectTo(address: string): Promise<Connection> {
  return Connection.connect({ address, interceptors: [], connectTimeout: '1 minute' });
}

export interface TestNamespace {
  address: string;
  namespace: string;
}

/** A namespace of the test's own on the run's Temporal server, with the search attributes of the workflows. */
export async function createTestNamespace(): Promise<TestNamespace> {
  const { target, connection } = await openTestTemporal();
  await connection.close();
  return target;
}

export interface TestTemporal {
  target: TestNamespace;
  client: Client;
  /** Closed by whoever asked for it, once the workers have ended. */
  connection: Connection;
}

/** A namespace of the test's own, ready for the service's workflows, and a client of it. */
export async function openTestTemporal(): Promise<TestTemporal> {
  const opened = await openBareTemporal();
  await waitUntil(() => prepareNamespace(opened.client), { what: 'The search attributes' });
  await isServed(opened.connection, opened.target.namespace);
  return opened;
}

/** A namespace of the test's own without search attributes, as an administrator makes one. */
export async function openBareTemporal(): Promise<TestTemporal> {
  const address = fromSetup('TEST_TEMPORAL_ADDRESS');
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const connection = await connectTo(address);
  const client = new Client({ connection, namespace });
  await waitUntil(() => register(connection, namespace), { what: `Namespace ${namespace}` });
  await isServed(connection, namespace);
  return { target: { address, namespace }, client, connection };
}

/** A namespace that exists already was registered by a call whose response was lost. */
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

/** The server's services learn of a new namespace one after the other. */
async function isServed(connection: Connection, namespace: string): Promise<void> {
  const list = () => connection.workflowService.listWorkflowExecutions({ namespace, pageSize: 1 });
  await waitUntil(list, { what: `Namespace ${namespace}` });
}

/** As `temporal worker deployment set-current-version` does; refused until workers of the version poll its queues. */
export async function makeCurrent(client: Client, version: WorkerDeploymentVersion) {
  const { namespace } = client.options;
  const request = { namespace, ...version, identity: 'test' };
  const set = () => client.workflowService.setWorkerDeploymentCurrentVersion(request);
  await waitUntil(set, { what: `Current version ${version.buildId}` });
}

/** Longer than a busy machine takes. */
const SIGNAL_DEADLINE_MS = 60_000;

/**
 * As the product signals, again until the server takes it: a development server that is busy says of a namespace whose
 * search attributes it cannot read within three seconds that it is not found.
 */
export const signalLead = (client: Client, leadId: string, event: LeadEvent) =>
  waitUntil(() => signalInTime(client, leadId, event, SIGNAL_DEADLINE_MS), {
    what: `The signal ${event}`,
  });

/** The dispatcher of an API process, which logs nothing. */
export function createTestDispatcher(client: Client, database: Database): LeadDispatcher {
  const log = pino({ level: 'silent' });
  const now = () => new Date();
  return createLeadDispatcher({ client, database, log, now, signalDeadlineMs: SIGNAL_DEADLINE_MS });
}
