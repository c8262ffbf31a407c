import { claim, giveAnswer } from './cached-answers.ts';
import { startDncrService } from './service.ts';

const service = await startDncrService();
afterAll(() => service.stop());
beforeEach(() => {
  service.registry.setFaultMode({ mode: 'ok' });
  service.registry.resetCalls();
});

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
const apiOf = (at: number) => service.apis[at % 2 === 0 ? 0 : 1];
const statuses = (answers: readonly { status: number }[]) =>
  new Set(answers.map(({ status }) => status));

const abandonedClaim = (phone: string, leaseMs: number) =>
  claim(service.apis[0], { phone, at: new Date(), leaseMs });

describe('the same number asked for twice at once', () => {
  test('is asked of the registry once: 50 requests over two API processes', async () => {
    const answers = await service.together(
      times(50, (at) => () => service.check(['0571000004'], { api: apiOf(at) })),
    );
    expect(statuses(answers)).toEqual(new Set([200]));
    expect(service.registry.calls()).toMatchObject({ checks: 1, numbers: { '0571000004': 1 } });
    const checkTimes = new Set(answers.map(({ body }) => body.data[0].checkedAt));
    expect(checkTimes.size).toBe(1);
    expect(answers.every(({ body }) => body.data[0].status === 'registered')).toBe(true);
  });

  test('is asked once by requests that ask for fresh answers, and a missing answer is shared', async () => {
    const answers = await service.together(
      times(20, (at) => () => service.check(['0571000009'], { api: apiOf(at), fresh: true })),
    );
    expect(answers.every(({ body }) => body.data[0].status === 'unavailable')).toBe(true);
    expect(service.registry.calls().numbers).toEqual({ '0571000009': 1 });
  });

  test('fails for all who wait when the registry fails, after one round of tries', async () => {
    service.registry.setFaultMode({ mode: 'fail' });
    const answers = await service.together(
      times(20, (at) => () => service.check(['0573000001'], { api: apiOf(at) })),
    );
    expect(statuses(answers)).toEqual(new Set([502]));
    expect(service.registry.calls().checks).toBe(2);
  });
});

describe('a claimer that falls before its workflow began', () => {
  test('is helped by the next who asks: the check it left is run for it', async () => {
    const fallen = await abandonedClaim('0574000001', 60_000);
    const { status, body } = await service.check(['0574000001']);
    expect([status, body.data[0].status]).toEqual([200, 'not_registered']);
    const { status: ended } = await service.client.workflow.getHandle(`dncr/${fallen}`).describe();
    expect(ended.name).toBe('COMPLETED');
    expect(service.registry.calls().checks).toBe(1);
  });

  test('loses its claim when the lease has run out', async () => {
    const fallen = await abandonedClaim('0574000002', -1);
    expect((await service.check(['0574000002'])).status).toBe(200);
    const described = service.client.workflow.getHandle(`dncr/${fallen}`).describe();
    await expect(described).rejects.toThrow('not found');
  });
});

describe('a number answered between the read of the cache and the lease', () => {
  test('is not asked for again', async () => {
    const fallen = await abandonedClaim('0575000001', -1);
    await service.check(['0575000001']);
    service.registry.resetCalls();
    await service.client.workflow.execute('DncrCheck', {
      workflowId: `dncr/${fallen}`,
      taskQueue: 'lead-dncr',
      args: [{ checkId: fallen }],
    });
    expect(service.registry.calls().checks).toBe(0);
    const [number] = await service.apis[0].database.query(
      'select status, from_cache from dncr_check_numbers where check_id = $1',
      [fallen],
    );
    expect(number).toEqual({ status: 'not_registered', from_cache: true });
  });

  test('is fresh to a fresh check that waits for the one who claimed it', async () => {
    await abandonedClaim('0575000002', 60_000);
    const checkedAt = new Date();
    await giveAnswer(service.apis[0].database, { phone: '0575000002', checkedAt });
    const { body } = await service.check(['0575000002'], { fresh: true });
    expect(body.data).toMatchObject([{ source: 'fresh', checkedAt: checkedAt.toISOString() }]);
    const wanted = { fresh: true, fromCache: 0, fromRegistry: 1, transactionId: 'given' };
    expect(body.meta).toMatchObject(wanted);
    const [recorded] = await service.apis[0].database.query(
      'select from_cache, from_registry from dncr_checks order by requested_at desc limit 1',
    );
    expect(recorded).toEqual({ from_cache: 0, from_registry: 1 });
  });
});

test('checks that wait for the registry take no turn from others of their client', async () => {
  const [api] = service.apis;
  const other = await api.addClient();
  const answers = await service.together(
    times(5, (at) => async () => {
      // Beside another client one request of each runs at a time.
      await api.call('GET', '/public/project-statuses', { client: other });
      return service.check([`057100010${at}`]);
    }),
  );
  expect(statuses(answers)).toEqual(new Set([200]));
});
