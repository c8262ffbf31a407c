import { randomUUID } from 'node:crypto';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import { Worker } from '@temporalio/worker';
import { fromSetup } from '../../support/environment.ts';
import { createDncrActivities } from '../../../activities/dncr/dncr-activities.ts';
import {
  RegistryError,
  type DncrRegistry,
  type RegistryErrorKind,
} from '../../../activities/dncr/registry.ts';
import { matchAnswers } from '../../../domain/dncr/registry-answer.ts';
import { checkTimeouts } from '../../../domain/dncr/check.ts';
import { addSearchAttributes } from '../../../worker/prepare-namespace.ts';
import { startTestApi } from '../../support/api.ts';
import { timeSkippingEnvironment } from '../../support/time-skipping.ts';
import { openTestCheck } from './support.ts';

const environment = await timeSkippingEnvironment();
await addSearchAttributes(environment.client);
const workflowBundle = { codePath: fromSetup('TEST_WORKFLOWS') };
const api = await startTestApi();
afterAll(async () => {
  await api.stop();
  await environment.teardown();
});

/** Fails with each of these errors in turn, then answers; `calls` counts. */
function registryThatFails(errors: readonly RegistryErrorKind[]): DncrRegistry & { calls: number } {
  return {
    calls: 0,
    async ask(phones) {
      const kind = errors[this.calls++];
      if (kind) throw new RegistryError(kind, `It is ${kind}.`);
      const rows = phones.map((accountNumber) => ({
        accountNumber,
        dncrStatus: 'FALSE',
        transactionStatus: null,
      }));
      return { answers: matchAnswers(phones, rows), checkedAt: new Date(), transactionId: 't-1' };
    },
  };
}

/** Ignores its timeout; only the cancellation of the activity ends it. */
const registryThatHangs: DncrRegistry = {
  ask: (_, stop) =>
    new Promise((_resolve, reject) => {
      stop?.addEventListener('abort', () => reject(new Error('stopped')));
    }),
};

/** The retry policy and timeouts in the history, in milliseconds. */
async function scheduleOf(handle: WorkflowHandle) {
  const { events } = await handle.fetchHistory();
  const scheduled = events?.find((event) => event.activityTaskScheduledEventAttributes);
  const activity = scheduled?.activityTaskScheduledEventAttributes;
  const { retryPolicy: policy, ...timeouts } = activity ?? {};
  return {
    maxAttempts: policy?.maximumAttempts,
    initialIntervalMs: optionalTsToMs(policy?.initialInterval),
    maximumIntervalMs: optionalTsToMs(policy?.maximumInterval),
    backoffCoefficient: policy?.backoffCoefficient,
    startToCloseMs: optionalTsToMs(timeouts.startToCloseTimeout),
    scheduleToCloseMs: optionalTsToMs(timeouts.scheduleToCloseTimeout),
  };
}

/** Runs the workflow of a new check, unless one is named; returns its result and its retry schedule. */
async function run(
  registry: DncrRegistry,
  { tries = 6, timeoutMs = 60_000, check = openTestCheck(api) } = {},
) {
  const checkId = await check;
  const taskQueue = randomUUID();
  const { database } = api;
  const now = () => new Date();
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    workflowBundle,
    taskQueue,
    activities: createDncrActivities({
      missingSearchAttributes: () => [],
      database,
      registry,
      timeouts: checkTimeouts({ tries, timeoutMs }),
      now,
    }),
  });
  return worker.runUntil(async () => {
    const workflowId = `dncr/${checkId}`;
    const ended: unknown = await environment.client.workflow
      .execute('DncrCheck', { workflowId, taskQueue, args: [{ checkId }] })
      .catch((error: unknown) => error);
    const schedule = await scheduleOf(environment.client.workflow.getHandle(workflowId));
    const [record] = await database.query(
      `select outcome, transaction_id as "transactionId",
         (select count(*) from dncr_leases where check_id = $1) as leases
       from dncr_checks where id = $1`,
      [checkId],
    );
    return { ended, record, schedule };
  });
}

const reasonOf = (ended: unknown) =>
  ended instanceof WorkflowFailedError ? ended.cause?.message : ended;

describe('a check whose registry fails', () => {
  test('is retried after growing pauses, and answered when one attempt succeeds', async () => {
    const failure = 'failure';
    const registry = registryThatFails(['unreachable', failure, 'nonsense', failure, failure]);
    const { ended, record, schedule } = await run(registry);
    expect(ended).toEqual({ not_registered: 1 });
    expect(registry.calls).toBe(6);
    expect(record).toMatchObject({ transactionId: 't-1', leases: 0 });
    expect(schedule).toEqual({
      maxAttempts: 6,
      initialIntervalMs: 200,
      backoffCoefficient: 2,
      maximumIntervalMs: 2000,
      startToCloseMs: 61_000,
      // Six attempts, pauses of 0.2, 0.4, 0.8, 1.6 and 2 s, and a second for the queue.
      scheduleToCloseMs: 366_000,
    });
  });

  test('times out when an attempt never ends', async () => {
    const { ended, record, schedule } = await run(registryThatHangs, { tries: 2, timeoutMs: 500 });
    expect(reasonOf(ended)).toBe('No answer came in time.');
    expect(record).toMatchObject({ outcome: 'failed', leases: 0 });
    expect(schedule).toMatchObject({ startToCloseMs: 1500, scheduleToCloseMs: 2200 });
  });
});

test('a check that nobody knows fails at once', async () => {
  const registry = registryThatFails([]);
  const { ended } = await run(registry, { tries: 2, check: Promise.resolve(randomUUID()) });
  expect(reasonOf(ended)).toBe('Check not found.');
  expect(registry.calls).toBe(0);
});
