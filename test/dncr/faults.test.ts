import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { MoodWish } from '../../dev/registry/mood.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { registryVariables, startDncrService } from './service.ts';
import type { DncrService } from './service.ts';

let service: DncrService;
beforeAll(async () => {
  service = await startDncrService();
  await service.check(['0561000001', '0561000004']);
});
afterAll(() => service.stop());
beforeEach(() => {
  service.registry.setMood({ mood: 'ok' });
  service.registry.setMood({ mood: 'ok', at: 'token' });
  service.registry.resetCalls();
});

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const started = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - started };
}

describe('with a registry that gives no usable answer', () => {
  test.each<[string, MoodWish, number]>([
    ['fails', { mood: 'fail' }, 2],
    ['hangs', { mood: 'hang' }, 2],
    ['answers nonsense', { mood: 'nonsense' }, 2],
    ['answers JSON of another kind', { mood: 'wrong_shape' }, 2],
    ['acknowledges with a failure', { mood: 'failure_ack' }, 2],
    ['never ends its answer', { mood: 'oversize' }, 2],
    ['takes no token of ours', { mood: 'unauthorized' }, 2],
  ])('that %s the whole call is 502, soon', async (_, mood, calls) => {
    service.registry.setMood(mood);
    const { answer, ms } = await timed(() => service.check(['0561000001', '0562000001']));
    expect([answer.status, answer.body.code]).toEqual([502, 'DNCR_UPSTREAM_ERROR']);
    expect(answer.body.data).toBeUndefined();
    expect(JSON.stringify(answer.body)).not.toContain('56200');
    expect(ms).toBeLessThan(2500);
    expect(service.registry.calls().checks).toBe(calls);
  });

  test('what is cached is answered meanwhile', async () => {
    service.registry.setMood({ mood: 'hang' });
    const { answer, ms } = await timed(() => service.check(['0561000001', '0561000004', 'x']));
    expect(answer.status).toBe(200);
    expect(ms).toBeLessThan(500);
  });

  test('one failure is tried again and nobody notices', async () => {
    service.registry.setMood({ mood: 'fail', times: 1 });
    expect((await service.check(['0562000002'])).status).toBe(200);
    expect(service.registry.calls().checks).toBe(2);
  });

  test('it can be asked again as soon as it is back', async () => {
    service.registry.setMood({ mood: 'fail' });
    expect((await service.check(['0562000003'])).status).toBe(502);
    service.registry.setMood({ mood: 'ok' });
    expect((await service.check(['0562000003'])).status).toBe(200);
  });

  test('the record tells that nothing came of it', async () => {
    service.registry.setMood({ mood: 'fail' });
    await service.check(['0562000004']);
    const [recorded] = await service.apis[0].database.query(
      `select outcome, registered + not_registered + not_found + unavailable as told,
         (select count(*) from dncr_claims) as claims
       from dncr_checks order by requested_at desc limit 1`,
    );
    expect(recorded).toEqual({ outcome: 'failed', told: 0, claims: 0 });
  });
});

describe('without Temporal', () => {
  /** The SDK's own retries would go on after the test. */
  async function withTemporalAt(address: string, work: (api: TestApi) => Promise<void>) {
    const connection = Connection.lazy({ address, interceptors: [] });
    const [{ config }] = service.apis;
    const api = await startTestApi({
      databaseUrl: config.database.url,
      temporal: new Client({ connection }),
      variables: registryVariables(service.registry),
    });
    try {
      await work(api);
    } finally {
      await connection.close();
      await api.stop();
    }
  }

  async function answersOnlyFromTheCache(api: TestApi, phone: string) {
    expect((await service.check(['0561000001'], { api })).status).toBe(200);
    const { answer, ms } = await timed(() => service.check([phone], { api }));
    expect([answer.status, answer.body.code]).toEqual([502, 'DNCR_UPSTREAM_ERROR']);
    expect(ms).toBeLessThan(4000);
    expect((await service.check([phone])).status).toBe(200);
  }

  test('what is cached is answered, the rest is 502 and free to be asked for later', async () => {
    await withTemporalAt('127.0.0.1:1', (api) => answersOnlyFromTheCache(api, '0563000001'));
  });

  test('so it is with one that takes calls and never answers', async () => {
    const calls = new Set<Socket>();
    const silent = createServer((socket) => calls.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    try {
      await withTemporalAt(`127.0.0.1:${port}`, (api) =>
        answersOnlyFromTheCache(api, '0563000002'),
      );
    } finally {
      silent.close();
      for (const socket of calls) socket.destroy();
    }
  });
});

describe('without a registry', () => {
  test('a check is 503, and a wrong request still what it is', async () => {
    const api = await startTestApi();
    const answer = (phones: unknown) =>
      api.call('POST', '/public/dncr/check', { body: { phones } });
    try {
      const { status, body } = await answer(['0561000001']);
      expect([status, body.code]).toEqual([503, 'DNCR_NOT_CONFIGURED']);
      expect((await answer([])).status).toBe(422);
      expect((await answer(Array(21).fill('1'))).body.code).toBe('DNCR_TOO_MANY_NUMBERS');
    } finally {
      await api.stop();
    }
  });
});
