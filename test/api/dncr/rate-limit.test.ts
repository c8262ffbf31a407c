import { expect, test } from '@jest/globals';
import { startDncrService } from './service.ts';

test('the registry is asked no faster than configured, whoever asks', async () => {
  const service = await startDncrService({ DNCR_CALLS_PER_SECOND: '5' });
  try {
    const started = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) => service.check([`05910000${at + 10}`])),
    );
    const ms = performance.now() - started;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(service.registry.calls().checks).toBe(25);
    // The first second's worth may come as one burst.
    expect(ms).toBeGreaterThan(3000);
  } finally {
    await service.stop();
  }
});
