import { expect, test } from '@jest/globals';
import { watchOver } from '../../dev/stack/services.ts';
import { waitUntil } from '../../dev/wait-until.ts';

/** Answers the looks in turn, then that nothing is stuck; counts the new starts. */
function watched(looks: readonly boolean[]) {
  const seen = { looks: 0, restarts: 0 };
  const end = watchOver({
    isStuck: async () => looks[seen.looks++] ?? false,
    restart: async () => void (seen.restarts += 1),
    everyMs: 1,
  });
  const all = async () => {
    if (seen.looks <= looks.length) throw new Error('not all were asked');
  };
  return { seen, end, looked: () => waitUntil(all, { what: 'The looks' }) };
}

const times = (count: number, stuck: boolean) => Array<boolean>(count).fill(stuck);

test('what is found stuck five times in a row is started again, once', async () => {
  const { seen, end, looked } = watched([...times(3, false), ...times(5, true)]);
  await looked();
  await end();
  expect(seen.restarts).toBe(1);
});

test('what was well in between is left alone', async () => {
  const { seen, end, looked } = watched([...times(4, true), false, ...times(4, true)]);
  await looked();
  await end();
  expect(seen.restarts).toBe(0);
});

test('the end of the watch waits for a new start under way', async () => {
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
  await waitUntil(begun, { what: 'The new start' });
  const ended = end();
  finish(undefined);
  await ended;
  expect(seen).toEqual({ begun: 1, ended: 1 });
});
