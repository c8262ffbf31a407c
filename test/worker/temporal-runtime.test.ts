import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { NativeConnection } from '@temporalio/worker';
import { pino, type Logger } from 'pino';
import {
  closeOperations,
  createOperationsServer,
  listen,
} from '../../platform/operations-server.ts';
import { createTemporalLogger, installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import { fromSetup } from '../support/environment.ts';

test('the worker’s metrics page has the metrics of Temporal’s SDK beside its own', async () => {
  const readLibraryMetrics = await installTemporalRuntime(pino({ level: 'silent' }));
  const connection = await NativeConnection.connect({
    address: fromSetup('TEST_TEMPORAL_ADDRESS'),
  });
  const probes = { required: {}, reported: {}, gauges: [] };
  const server = createOperationsServer({ ...probes, readLibraryMetrics });
  try {
    await listen(server, 0, '127.0.0.1');
    const { port } = server.address() as AddressInfo;
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(page).toMatch(/^temporal_request\{.*operation="GetSystemInfo".*\} \d/m);
    expect(page).toMatch(/^process_cpu_seconds_total \d/m);
  } finally {
    await closeOperations(server);
    await connection.close();
  }
});

test('lines of activities and of the SDK hold ids, never an input or an error', () => {
  const { log, lines } = recordingLog();
  const temporal = createTemporalLogger(log);
  const activity = { sdkComponent: 'activity', workflowId: 'lead/1', attempt: 2 };
  const secret = '+971501234567';
  const ofSdk = { ...activity, sdkComponent: 'worker', traceId: 'a1' };
  temporal.warn('Activity failed', { ...ofSdk, error: new Error(secret), reason: secret });
  temporal.info('activity', { ...activity, traceId: 'a1', ms: 2, input: secret });
  temporal.error('webhook delivery failed for good', { ...activity, eventId: 'evt_1' });
  temporal.warn('Task not found', { sdkComponent: 'core', failure: secret });
  temporal.info('Worker state changed', { sdkComponent: 'worker' });
  temporal.debug('Activity started', activity);
  expect(lines()).toEqual([
    {
      ...{ level: 40, msg: 'Activity failed', from: 'temporal' },
      ...{ workflowId: 'lead/1', attempt: 2, traceId: 'a1' },
    },
    { level: 30, msg: 'activity', workflowId: 'lead/1', attempt: 2, traceId: 'a1', ms: 2 },
    {
      level: 50,
      msg: 'webhook delivery failed for good',
      workflowId: 'lead/1',
      attempt: 2,
      eventId: 'evt_1',
    },
    { level: 40, msg: 'Task not found', from: 'temporal' },
  ]);
});

function recordingLog(): { log: Logger; lines: () => unknown[] } {
  const written: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void written.push(line) });
  return { log, lines: () => written.map((line) => JSON.parse(line) as unknown) };
}
