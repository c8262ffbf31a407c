import { waitUntil } from '../../../dev/wait-until.ts';
import { startDncrService, type CheckOptions } from './service.ts';

const service = await startDncrService();
afterAll(() => service.stop());

const CACHED = ['0551000001', '0551000004', '0551000007'];
const UNCACHED = '0552000001';

/** Each kind is sent four times, by both processes. */
const KINDS: [phones: string[], options?: CheckOptions][] = [
  [CACHED],
  [['+971 55 100 0001', '0551000004', 'x', '0551000001']],
  [['0551000007']],
  [['none', '1']],
  [['0551000001', UNCACHED]],
  [['0551000007', '0551000004'], { fresh: true }],
];
const requests = Array.from({ length: 4 * KINDS.length }, (_, at) => {
  const [phones, options] = KINDS[at % KINDS.length] ?? [[]];
  const api = Math.floor(at / KINDS.length) % 2;
  return { phones, options, api };
});

const database = () => service.apis[0].database;
const recordsSince = (time: Date) =>
  database().query(
    `select outcome, fresh, invalid, from_cache, from_registry, registered, not_registered, not_found,
       cardinality(number_hashes) as numbers, count(*) as checks
     from dncr_checks where requested_at >= $1
     group by 1, 2, 3, 4, 5, 6, 7, 8, 9 order by 1, 2, 3, 4, 5, 6, 7, 8, 9`,
    [time],
  );

test('checks of every kind at once are answered and recorded as alone, and the cached ones share commits', async () => {
  await service.check(CACHED);
  const alone = [];
  for (const [phones] of KINDS.slice(0, 4)) alone.push((await service.check(phones)).body);
  service.registry.resetCalls();
  const statements: string[] = [];
  const stops = service.apis.map((api) =>
    api.database.onStatement((text) => statements.push(text)),
  );
  const started = new Date();
  const admitted = async () => {
    const [row] = await database().query('select sum(used) as used from quota_usage');
    return Number(row?.used);
  };
  const before = await admitted();

  // Nothing is recorded until all requests are admitted.
  let answers: ReturnType<(typeof service)['together']> | undefined;
  await database().transaction(async (sql) => {
    await sql.query('lock table dncr_checks in share row exclusive mode');
    answers = service.together(
      requests.map(({ phones, options, api }) => () => {
        return service.check(phones, { ...options, api: service.apis[api === 0 ? 0 : 1] });
      }),
    );
    const allAdmitted = async () => {
      const count = (await admitted()) - before;
      if (count !== requests.length) throw new Error(`${count} are admitted`);
    };
    await waitUntil(allAdmitted, { what: 'Every request' });
  });
  const responses = (await answers) ?? [];
  for (const stop of stops) stop();

  for (const [at, { status, body }] of responses.entries()) {
    expect(status).toBe(200);
    const expected = alone[at % KINDS.length];
    if (expected) expect(body).toEqual(expected);
  }
  const sourcesOf = (kind: number) =>
    responses
      .filter((_, at) => at % KINDS.length === kind)
      .map(({ body }) => body.data.map(({ source }: { source: string }) => source).join());
  expect(new Set(sourcesOf(4))).toEqual(new Set(['cache,fresh']));
  expect(new Set(sourcesOf(5))).toEqual(new Set(['fresh,fresh']));
  const asked = { [UNCACHED]: 1, '0551000004': 1, '0551000007': 1 };
  expect(service.registry.calls().numbers).toEqual(asked);

  const record = {
    outcome: 'answered',
    fresh: false,
    invalid: 0,
    from_cache: 0,
    from_registry: 0,
    registered: 0,
    not_registered: 0,
    not_found: 0,
    numbers: 0,
    checks: 4,
  };
  const cached = { registered: 1, not_registered: 1 };
  expect(await recordsSince(started)).toEqual([
    { ...record, from_cache: 1, not_found: 1, numbers: 1 },
    { ...record, from_cache: 1, from_registry: 1, not_registered: 2, numbers: 2 },
    { ...record, ...cached, from_cache: 3, not_found: 1, numbers: 3 },
    { ...record, ...cached, invalid: 1, from_cache: 2, numbers: 2 },
    { ...record, invalid: 2 },
    { ...record, fresh: true, from_registry: 2, registered: 1, not_found: 1, numbers: 2 },
  ]);
  const recording = statements.filter((text) => text.includes('insert into dncr_checks'));
  // Those with a lease to take are recorded by themselves.
  expect(recording.length).toBeLessThan(requests.length);
});
