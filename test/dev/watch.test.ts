import { watchOver } from '../support/watch-over.ts';
import { waitUntil } from '../../dev/wait-until.ts';

/** Returns the given results in turn, then that nothing is stuck; counts checks and restarts. */
function watched(results: readonly boolean[]) {
  const seen = { checks: 0, restarts: 0 };
  const end = watchOver({
    isStuck: async () => results[seen.checks++] ?? false,
    restart: async () => void (seen.restarts += 1),
    everyMs: 1,
  });
  const all = async () => {
    if (seen.checks <= results.length) throw new Error('checks are left');
  };
  return { seen, end, checked: () => waitUntil(all, { what: 'The checks' }) };
}

const times = (count: number, stuck: boolean) => Array<boolean>(count).fill(stuck);

test('what is found stuck fifteen times in a row is restarted once', async () => {
  const { seen, end, checked } = watched([...times(3, false), ...times(15, true)]);
  await checked();
  await end();
  expect(seen.restarts).toBe(1);
});

test('what recovers in between is not restarted', async () => {
  const { seen, end, checked } = watched([...times(14, true), false, ...times(14, true)]);
  await checked();
  await end();
  expect(seen.restarts).toBe(0);
});

test('the end of the watch waits for a restart under way', async () => {
  const { promise, resolve: finish } = Promise.withResolvers();
  const seen = { begun: 0, ended: 0 };
  const end = watchOver({
    isStuck: async () => true,
    restart: async () => {
      seen.begun += 1;
      await promise;
      seen.ended += 1;
    },
    everyMs: 1,
  });
  const begun = async () => {
    if (seen.begun === 0) throw new Error('it has not begun');
  };
  await waitUntil(begun, { what: 'The restart' });
  const ended = end();
  finish(undefined);
  await ended;
  expect(seen).toEqual({ begun: 1, ended: 1 });
});
