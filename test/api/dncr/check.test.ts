import { hashNumber } from '../../../domain/dncr/number.ts';
import { startDncrService } from './service.ts';

const service = await startDncrService();
afterAll(() => service.stop());
beforeEach(() => service.registry.resetCalls());

const row = (input: string, known: object) => ({
  input,
  phone: expect.any(String),
  e164: expect.any(String),
  onDncr: null,
  dncrStatus: null,
  registryStatus: null,
  checkedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  source: 'fresh',
  error: null,
  ...known,
});
const unchecked = { checkedAt: null, source: null, error: expect.any(String) };

describe('POST /public/dncr/check', () => {
  test('answers one row per number, in the order sent, in every status', async () => {
    const phones = ['0501000000', '+971 50-100-0004', '501000007', '00971501000009', 'x'];
    const { status, body } = await service.check([...phones, '0501000000']);
    expect(status).toBe(200);
    const clear = row('0501000000', {
      status: 'not_registered',
      onDncr: false,
      dncrStatus: 'FALSE',
      phone: '0501000000',
      e164: '+971501000000',
    });
    expect(body.data).toEqual([
      clear,
      row('+971 50-100-0004', { status: 'registered', onDncr: true, dncrStatus: 'TRUE' }),
      row('501000007', { status: 'not_found', registryStatus: 'Account Number – Not Found' }),
      row('00971501000009', { status: 'unavailable', ...unchecked }),
      row('x', { status: 'invalid', ...unchecked, phone: null, e164: null }),
      clear,
    ]);
    const { checks, transactionIds, numbers } = service.registry.calls();
    expect(body.meta).toEqual({
      requested: 6,
      unique: 4,
      invalid: 1,
      fromCache: 0,
      fromRegistry: 4,
      fresh: false,
      cacheTtlDays: 180,
      maxNumbersPerRequest: 20,
      transactionId: transactionIds[0],
    });
    expect(checks).toBe(1);
    expect(Object.values(numbers)).toEqual([1, 1, 1, 1]);
  });

  test('answers from the cache without workflow and registry, in one round trip', async () => {
    await service.check(['0502000001', '0502000005', '0502000008']);
    service.registry.resetCalls();
    const statements: string[] = [];
    const stop = service.apis[0].database.onStatement((text) => statements.push(text));
    const { body } = await service.check(['0502000008', '0502000001', '0502000005']);
    stop();
    expect(body.data.map((known: { source: string }) => known.source)).toEqual(
      Array(3).fill('cache'),
    );
    expect(body.meta).toMatchObject({ fromCache: 3, fromRegistry: 0, transactionId: null });
    expect(service.registry.calls().checks).toBe(0);
    // One more is the token and the quota.
    expect(statements).toHaveLength(2);
  });

  test('asks only for what the cache does not hold, and caches no missing answer', async () => {
    await service.check(['0503000001', '0503000009']);
    service.registry.resetCalls();
    const { body } = await service.check(['0503000001', '0503000009', '0503000002']);
    expect(service.registry.calls().numbers).toEqual({ '0503000009': 1, '0503000002': 1 });
    expect(body.meta).toMatchObject({ fromCache: 1, fromRegistry: 2 });
  });

  test.each([
    ['in the body', { fresh: true }],
    ['as true in the query', { query: '?fresh=true' }],
    ['as 1 in the query, whatever the body says', { query: '?fresh=1', fresh: false }],
    ['in the body, whatever the query says', { query: '?fresh=0', fresh: true }],
  ])('asks again when fresh is set %s', async (_, options) => {
    await service.check(['0504000001']);
    service.registry.resetCalls();
    const { body } = await service.check(['0504000001'], options);
    expect(service.registry.calls().numbers).toEqual({ '0504000001': 1 });
    expect(body.data[0].source).toBe('fresh');
    expect(body.meta).toMatchObject({ fresh: true, fromCache: 0, fromRegistry: 1 });
  });

  test('asks nobody about numbers that are all invalid', async () => {
    const { status, body } = await service.check(['1', '', 'x'.repeat(1000)]);
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ requested: 3, unique: 0, invalid: 3, transactionId: null });
    expect(service.registry.calls().checks).toBe(0);
  });
});

describe('a cached answer', () => {
  const DAYS_180_MS = 180 * 86_400_000;
  const phone = '0505000004';

  test('counts until 180 days after it was given, to the second', async () => {
    const [api] = service.apis;
    const { body } = await service.check([phone]);
    const checkedAt = new Date(body.data[0].checkedAt).getTime();
    service.registry.resetCalls();
    try {
      api.setNow(new Date(checkedAt + DAYS_180_MS - 1000));
      expect((await service.check([phone])).body.data[0].source).toBe('cache');
      api.setNow(new Date(checkedAt + DAYS_180_MS));
      service.setWorkerNow(new Date(checkedAt + DAYS_180_MS));
      expect((await service.check([phone])).body.data[0].source).toBe('fresh');
      expect(service.registry.calls().checks).toBe(1);
    } finally {
      api.setNow(null);
      service.setWorkerNow(null);
    }
  });
});

describe('a request is refused', () => {
  const many = (count: number) => Array.from({ length: count }, () => '0501000000');
  const send = (body: unknown, query = '') =>
    service.apis[0].call('POST', `/public/dncr/check${query}`, { body });

  test('with 400 over 20 numbers, with nothing checked, whatever else is wrong', async () => {
    const { status, body } = await service.check(many(21));
    expect([status, body.code]).toEqual([400, 'DNCR_TOO_MANY_NUMBERS']);
    expect(body.details).toEqual({ max: 20, received: 21 });
    const wrong = await send({ phones: [...many(24), 7], fresh: 'yes', other: 1 });
    expect(wrong.body.code).toBe('DNCR_TOO_MANY_NUMBERS');
    expect((await service.check(many(20))).status).toBe(200);
  });

  test.each([
    ['no number', { phones: [] }, '', 'phones: '],
    ['a list that is none', { phones: '0501000000' }, '', 'phones: '],
    ['an entry that is no text', { phones: ['0501000000', 501000000] }, '', 'phones[1]: '],
    ['fresh that is no boolean', { phones: ['0501000000'], fresh: 'true' }, '', 'fresh: '],
    ['an unknown field', { phones: ['0501000000'], force: true }, '', 'force: '],
    ['another fresh in the query', { phones: ['0501000000'] }, '?fresh=yes', 'fresh: '],
    ['fresh twice in the query', { phones: ['0501000000'] }, '?fresh=1&fresh=1', 'fresh: '],
  ])('with 422 for %s', async (_, sent, query, path) => {
    const { status, body } = await send(sent, query);
    expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(body.errors).toEqual([expect.stringContaining(path)]);
    expect(service.registry.calls().checks).toBe(0);
  });
});

describe('each check leaves a record', () => {
  interface Recorded extends Record<string, unknown> {
    numberHashes: Buffer[];
  }
  const newest = async () => {
    const [recorded] = await service.apis[0].database.query<Recorded>(
      `select client_id as "clientId", outcome, fresh, number_hashes as "numberHashes", invalid,
         from_cache as "fromCache", from_registry as "fromRegistry", registered,
         not_registered as "notRegistered", not_found as "notFound", unavailable,
         transaction_id as "transactionId", finished_at is not null as "isFinished"
       from dncr_checks where requested_at < now() + interval '1 day'
       order by requested_at desc limit 1`,
    );
    return recorded;
  };

  test('of the client, of hashed numbers only, and of the outcome', async () => {
    await service.check(['0506000001', '0506000004']);
    const phones = ['0506000001', '0506000004', '0506000007', '0506000009', 'x'];
    const { body } = await service.check(phones);
    const { secretsKey } = service.apis[0].config;
    expect(await newest()).toEqual({
      clientId: service.apis[0].client.id,
      outcome: 'answered',
      isFinished: true,
      fresh: false,
      numberHashes: phones.slice(0, 4).map((phone) => hashNumber(phone, secretsKey)),
      invalid: 1,
      fromCache: 2,
      fromRegistry: 2,
      registered: 1,
      notRegistered: 1,
      notFound: 1,
      unavailable: 1,
      transactionId: body.meta.transactionId,
    });
  });
});

describe('a history', () => {
  test('holds no number', async () => {
    const { body } = await service.check(['0507654321', '0507654327', '0507654329']);
    const [newest] = await service.apis[0].database.query<{ id: string }>(
      'select id from dncr_checks where transaction_id = $1',
      [body.meta.transactionId],
    );
    const history = await service.client.workflow.getHandle(`dncr/${newest?.id}`).fetchHistory();
    const texts = [JSON.stringify(history), ...payloadTexts(history)].join('\n');
    expect(texts).toContain('DncrCheck');
    expect(texts).toMatch(/ask the registry for 3 numbers/);
    expect(texts).not.toMatch(/765.?432[179]/);
  });

  /** Payloads are bytes; this is what they say. */
  function payloadTexts(value: unknown): string[] {
    if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
    if (typeof value !== 'object' || value === null) return [];
    return Object.values(value).flatMap(payloadTexts);
  }
});
