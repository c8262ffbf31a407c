import { timeSkippingEnvironment } from '../support/time-skipping.ts';

const THIRTY_DAYS_MS = 30 * 86_400_000;

test('the time-skipping server jumps over thirty days', async () => {
  const environment = await timeSkippingEnvironment();
  try {
    const before = await environment.currentTimeMs();
    await environment.sleep(THIRTY_DAYS_MS);
    const after = await environment.currentTimeMs();
    expect(after - before).toBeGreaterThanOrEqual(THIRTY_DAYS_MS);
  } finally {
    await environment.teardown();
  }
});
