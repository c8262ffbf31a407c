import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createLeadStarter } from '../../api/lead-starter.ts';
import { connectTemporal } from '../../temporal.ts';
import type { TemporalClient } from '../../temporal.ts';
import { startTestApi, testConfig } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { startSilentServer } from '../support/silent-server.ts';
import type { SilentServer } from '../support/silent-server.ts';

let api: TestApi;
let silent: SilentServer;
let temporal: TemporalClient;
beforeAll(async () => {
  api = await startTestApi();
  silent = await startSilentServer();
  const config = testConfig('postgres://none', { TEMPORAL_ADDRESS: silent.address });
  temporal = await connectTemporal(config.temporal);
});
afterAll(async () => {
  await temporal.close();
  silent.stop();
  await api.stop();
});

test('a process that ends while Temporal says nothing leaves what waits to the relay', async () => {
  let gaveUp = 0;
  const log = pino({ level: 'warn' }, { write: () => void (gaveUp += 1) });
  const starter = createLeadStarter(temporal.client, api.database, log);
  for (let row = 1; row <= 200; row += 1) starter.announce(randomUUID(), 'created', row);
  expect(starter.waiting).toBe(200);
  await starter.drain();
  expect(starter.waiting).toBe(0);
  expect(gaveUp).toBe(16);
});
