import { randomUUID } from 'node:crypto';
import './quiet-temporal.ts';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import type { ActivityContext } from '../../activities/context.ts';
import {
  createLeadActivities,
  type LeadActivities,
} from '../../activities/leads/lead-activities.ts';
import type { RelayContext } from '../../worker/outbox-relay.ts';
import { createWorkers } from '../../worker/workers.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../store/db/database.ts';
import { createRulesetStore } from '../../store/routing/rulesets.ts';
import type { TestNamespace } from './temporal.ts';

/** What the activities and the worker's loops need. */
type WorkerContext = ActivityContext & RelayContext;

export interface TestWorkers {
  context: WorkerContext;
  stop(): Promise<void>;
}

export function testActivityContext(
  database: Database,
  config: Config,
  now: () => Date = () => new Date(),
): WorkerContext {
  return {
    config,
    database,
    rulesets: createRulesetStore(),
    missingSearchAttributes: () => [],
    log: pino({ level: 'silent' }),
    now,
    newId: randomUUID,
  };
}

/**
 * The activities of leads on the database of `api`; `now` is the worker's clock. They wait for a lock as long as it
 * takes: the attempts that fail for one after a moment would be retried by Temporal, which is not there.
 */
export function leadActivities(
  { database, config }: Pick<WorkerContext, 'database' | 'config'>,
  now?: () => Date,
): LeadActivities {
  return createLeadActivities(testActivityContext(patient(database), config, now));
}

/** As Temporal does: an activity that found a lock comes back. */
export async function untilRouted(route: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      await route();
      return;
    } catch (error) {
      expect(error).toMatchObject({ type: 'Locked' });
    }
}

/** The same database, whose transactions wait for a lock as long as it takes. */
export function patient(database: Database): Database {
  const transaction: Database['transaction'] = (work, options) =>
    database.transaction(work, { ...options, lockTimeoutMs: 60_000 });
  return Object.assign(Object.create(database) as Database, { transaction });
}

/** The product's own workers on a namespace of the test's own; they run until `stop`. */
export async function startTestWorkers(
  context: WorkerContext,
  { address, namespace }: TestNamespace,
  version: WorkerDeploymentVersion | null = null,
): Promise<TestWorkers> {
  const connection = await NativeConnection.connect({ address });
  const workers = await createWorkers(context, { connection, namespace }, version);
  return { context, ...runWorkers(workers, connection) };
}

/** They run until `stop`, which closes the connection that they had to themselves. */
export function runWorkers(workers: readonly Worker[], connection: NativeConnection) {
  const runs = workers.map((worker) => worker.run());
  return {
    async stop(): Promise<void> {
      for (const worker of workers) worker.shutdown();
      await Promise.all(runs);
      await connection.close();
    },
  };
}
