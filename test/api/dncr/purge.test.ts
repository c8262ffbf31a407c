import { DNCR_CACHE_AGES, purge } from '../../../store/maintenance/retention.ts';
import { startTestApi } from '../../support/api.ts';
import { claim, giveAnswer } from './cached-answers.ts';

const now = new Date('2026-08-01T00:00:00Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

const api = await startTestApi();
afterAll(() => api.stop());

const openedAt = (at: Date, phone: string) => claim(api, { phone, at, leaseMs: 60_000 });

test('the purge takes what is past its time to the second, and leaves the records', async () => {
  const lifetime = 180 * 86_400;
  await giveAnswer(api.database, { phone: '0501000001', checkedAt: before(lifetime) });
  await giveAnswer(api.database, { phone: '0501000002', checkedAt: before(lifetime - 1) });
  await openedAt(before(7200), '0501000003');
  await openedAt(before(10), '0501000004');
  const purgeCache = () => purge(api.database, DNCR_CACHE_AGES, now);
  expect(await purgeCache()).toEqual({ dncrAnswers: 1, dncrNumbers: 1, dncrLeases: 1 });
  expect(await purgeCache()).toEqual({ dncrAnswers: 0, dncrNumbers: 0, dncrLeases: 0 });
  const [left] = await api.database.query(
    `select (select array_agg(phone) from dncr_answers) as answers,
       (select array_agg(phone) from dncr_leases) as leases,
       (select count(*) from dncr_checks) as checks`,
  );
  expect(left).toEqual({ answers: ['0501000002'], leases: ['0501000004'], checks: 2 });
});

test('RETAIN_CHECKS_DAYS removes the record of a check that nobody ended, since its process was killed', async () => {
  await openedAt(before(90_000), '0501000005');
  expect(await purge(api.database, { checksMs: 86_400_000 }, now)).toEqual({ checks: 1 });
});
