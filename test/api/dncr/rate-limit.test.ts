import { waitUntil } from '../../../dev/wait-until.ts';
import { startDncrService } from './service.ts';

const GREEDY = 50;

test('the registry is asked no faster than configured, and one check of a client not after all those of another', async () => {
  const service = await startDncrService({ DNCR_CALLS_PER_SECOND: '10' });
  const [api] = service.apis;
  const { calls } = service.registry;
  try {
    const client = await api.addClient();
    const started = performance.now();
    const greedy = Promise.all(
      Array.from({ length: GREEDY }, (_, at) => service.check([`05910000${at + 10}`])),
    );
    const opened = async () =>
      expect(await api.database.query('select from dncr_checks')).toHaveLength(GREEDY);
    await waitUntil(opened, { what: 'Every check' });
    const before = calls().checks;
    const body = { phones: ['0592000010'] };
    const other = await api.call('POST', '/public/dncr/check', { client, body });
    const answers = [other, ...(await greedy)];
    const ms = performance.now() - started;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(calls().checks).toBe(GREEDY + 1);
    // The others in the queue are two seconds' worth of the rate.
    const place = Object.keys(calls().numbers).indexOf('0592000010');
    expect(place - before).toBeLessThan(32);
    // The first second's worth may come as one burst.
    expect(ms).toBeGreaterThan(3000);
  } finally {
    await service.stop();
  }
});
