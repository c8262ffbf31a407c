import fc from 'fast-check';
import { createBatcher } from '../../../store/db/batcher.ts';

/** Records the batches; each call ends when the test releases it. */
function recording(
  fails: (input: number) => boolean = () => false,
  options?: Parameters<typeof createBatcher>[1],
) {
  const calls: number[][] = [];
  const ends: (() => void)[] = [];
  const double = createBatcher(async (inputs: readonly number[]) => {
    calls.push([...inputs]);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (inputs.some(fails)) throw new Error(`no ${inputs.join(', ')}`);
    return inputs.map((input) => input * 2);
  }, options);
  const endAll = async (work: Promise<unknown>) => {
    let isOver = false;
    const over = work.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    while (!isOver) {
      ends.shift()?.();
      await Promise.race([over, new Promise((later) => setImmediate(later))]);
    }
  };
  return { calls, double, endAll };
}

describe('a batcher', () => {
  test('gives those who ask in one turn, and those who ask meanwhile, a call each', async () => {
    const { calls, double, endAll } = recording();
    const first = Promise.all([double(1), double(2)]);
    await new Promise((later) => setImmediate(later));
    const second = Promise.all([double(3), double(4), double(5)]);
    await endAll(Promise.all([first, second]));
    expect(await first).toEqual([2, 4]);
    expect(await second).toEqual([6, 8, 10]);
    expect(calls).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  test('shares the inputs among its lanes, and no lane waits for another', async () => {
    const { calls, double, endAll } = recording(undefined, { max: 2, lanes: 2 });
    const all = Promise.all([1, 2, 3, 4, 5].map(double));
    await new Promise((later) => setImmediate(later));
    expect(calls).toEqual([
      [1, 2],
      [3, 4],
    ]);
    await endAll(all);
    expect(calls.slice(2)).toEqual([[5]]);
    expect(await all).toEqual([2, 4, 6, 8, 10]);
  });

  test('tries each alone where a call with several fails: one bad input fails only itself', async () => {
    const { double, endAll } = recording((input) => input === 2);
    const all = Promise.allSettled([double(1), double(2), double(3)]);
    await endAll(all);
    expect(await all).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: new Error('no 2') },
      { status: 'fulfilled', value: 6 },
    ]);
  });

  test('goes on after a failure', async () => {
    const { double, endAll } = recording((input) => input === 2);
    const bad = double(2);
    await endAll(bad);
    await expect(bad).rejects.toThrow('no 2');
    const good = double(4);
    await endAll(good);
    expect(await good).toBe(8);
  });
});

interface Asked {
  owner: string;
  key: string;
}

const CLIENTS = ['a', 'b', 'c'];
const asked = fc.record({
  owner: fc.constantFrom(...CLIENTS),
  key: fc.constantFrom('w', 'x', 'y', 'z'),
});
const [many, most] = [fc.array(asked, { maxLength: 40 }), fc.integer({ min: 1, max: 8 })];

/** The calls for inputs that all wait at once. */
async function callsFor(
  inputs: readonly Asked[],
  options: Parameters<typeof createBatcher<Asked, Asked>>[1],
): Promise<Asked[][]> {
  const calls: Asked[][] = [];
  const ask = createBatcher<Asked, Asked>(async (together) => {
    calls.push([...together]);
    return together;
  }, options);
  expect(await Promise.all(inputs.map(ask))).toEqual(inputs);
  return calls;
}

describe('a batcher of several owners', () => {
  const ownerOf = ({ owner }: Asked) => owner;

  test('takes the inputs of a key one by one, in order of arrival', () =>
    fc.assert(
      fc.asyncProperty(many, most, async (inputs, max) => {
        const calls = await callsFor(inputs, { max, ownerOf, keysOf: ({ key }) => [key] });
        for (const call of calls) {
          expect(call.length).toBeLessThanOrEqual(max);
          expect(new Set(call.map(({ key }) => key)).size).toBe(call.length);
        }
        const byKey = Map.groupBy(calls.flat(), ({ key }) => key);
        for (const [key, taken] of byKey)
          taken.forEach((each, index) =>
            expect(each).toBe(inputs.filter((input) => input.key === key)[index]),
          );
      }),
    ));

  test('takes the inputs of all owners in turn, those of each in order of arrival', () =>
    fc.assert(
      fc.asyncProperty(many, most, async (inputs, max) => {
        const calls = await callsFor(inputs, { max, ownerOf });
        const ownedBy = (all: readonly Asked[], owner: string) =>
          all.filter((each) => each.owner === owner);
        for (const owner of CLIENTS)
          ownedBy(calls.flat(), owner).forEach((each, index) =>
            expect(each).toBe(ownedBy(inputs, owner)[index]),
          );
        for (const [index, call] of calls.entries()) {
          const later = calls.slice(index + 1).flat();
          const counts = CLIENTS.map((owner) => ownedBy(call, owner).length);
          for (const [at, owner] of CLIENTS.entries())
            if (ownedBy(later, owner).length > 0)
              expect(counts[at]).toBeGreaterThanOrEqual(Math.max(...counts) - 1);
        }
      }),
    ));
});
