import path from 'node:path';
import process from 'node:process';
import { pino, type Logger } from 'pino';
import { createTemporalLogger } from '../../worker/temporal-runtime.ts';
import { runProgram } from '../support/program.ts';

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

test('a port for the metrics of the SDK that another process took in between is replaced', async () => {
  const script = `
    import { once } from 'node:events';
    import { createServer } from 'node:net';
    import { pino } from 'pino';
    import { freePort } from ${JSON.stringify(path.resolve('dev/ports.ts'))};
    import { installTemporalRuntime } from ${JSON.stringify(path.resolve('worker/temporal-runtime.ts'))};
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const ports = [taken.address().port, await freePort()];
    const read = await installTemporalRuntime(pino({ enabled: false }), async () => ports.shift());
    console.log(ports.length, typeof (await read()));
    process.exit();`;
  const run = await runProgram(process.execPath, ['--input-type=module', '-e', script]);
  expect(run).toMatchObject({ code: 0, stdout: '0 string\n' });
});

function recordingLog(): { log: Logger; lines: () => unknown[] } {
  const written: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void written.push(line) });
  return { log, lines: () => written.map((line) => JSON.parse(line) as unknown) };
}
