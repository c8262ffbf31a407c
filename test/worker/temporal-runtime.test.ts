import { expect, test } from '@jest/globals';
import { pino, type Logger } from 'pino';
import { createTemporalLogger } from '../../worker/temporal-runtime.ts';

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
      level: 40,
      msg: 'Activity failed',
      from: 'temporal',
      workflowId: 'lead/1',
      attempt: 2,
      traceId: 'a1',
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
