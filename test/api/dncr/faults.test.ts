import { Client, Connection } from '@temporalio/client';
import { startTestApi, type HttpAnswer, type TestApi } from '../../support/api.ts';
import { startHangingServer } from '../../support/hanging-server.ts';
import { HASTY, registryVariables, startDncrService } from './service.ts';

const service = await startDncrService();
await service.check(['0561000001', '0561000004']);
afterAll(() => service.stop());
beforeEach(() => {
  service.registry.setFaultMode({ mode: 'ok' });
  service.registry.resetCalls();
});

function expectNoAnswer({ status, body }: HttpAnswer): void {
  expect([status, body.code]).toEqual([502, 'DNCR_UPSTREAM_ERROR']);
  expect(body.data).toBeUndefined();
  expect(JSON.stringify(body)).not.toContain('56200');
}

describe('with a registry that gives no usable answer', () => {
  test('the whole call is 502, and the record says that it failed', async () => {
    service.registry.setFaultMode({ mode: 'fail' });
    expectNoAnswer(await service.check(['0562000001']));
    const [recorded] = await service.apis[0].database.query(
      `select outcome, registered + not_registered + not_found + unavailable as answered,
         (select count(*) from dncr_leases) as leases
       from dncr_checks order by requested_at desc limit 1`,
    );
    expect(recorded).toEqual({ outcome: 'failed', answered: 0, leases: 0 });
  });

  test('what is cached is answered meanwhile', async () => {
    service.registry.setFaultMode({ mode: 'hang' });
    expect((await service.check(['0561000001', '0561000004', 'x'])).status).toBe(200);
    expect(service.registry.calls().checks).toBe(0);
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
      variables: registryVariables(service.registry, HASTY),
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
    expectNoAnswer(await service.check([phone], { api }));
    expect((await service.check([phone])).status).toBe(200);
  }

  test('what is cached is answered, the rest is 502 and free to be asked for later', async () => {
    await withTemporalAt('127.0.0.1:1', (api) => answersOnlyFromTheCache(api, '0563000001'));
  });

  test('so it is with one that takes calls and never answers', async () => {
    const { address, stop } = await startHangingServer();
    try {
      await withTemporalAt(address, (api) => answersOnlyFromTheCache(api, '0563000002'));
    } finally {
      stop();
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
