import { isUnavailable } from './database.ts';

interface Waiting<Input, Output> extends Omit<PromiseWithResolvers<Output>, 'promise'> {
  input: Input;
}

interface BatcherOptions<Input> {
  /** Most inputs of one call. */
  max?: number;
  /** Most calls at once. */
  lanes?: number;
  /** Inputs that have a key in common are never in one call; the later one waits. */
  keysOf?: (input: Input) => readonly string[];
  /** If more inputs wait than one call takes, it takes those of all owners in turn. */
  ownerOf?: (input: Input) => string;
}

/**
 * Inputs that arrive while all lanes are busy share the next call. `work` returns one output per input, in
 * order. After a failed call each input is tried alone, so that one bad input fails only itself, unless the
 * database was away.
 */
export function createBatcher<Input, Output>(
  work: (inputs: readonly Input[]) => Promise<readonly (Output | Promise<Output>)[]>,
  { max = 100, lanes = 1, keysOf = () => [], ownerOf = () => '' }: BatcherOptions<Input> = {},
): (input: Input) => Promise<Output> {
  let waiting: Waiting<Input, Output>[] = [];
  let busyLanes = 0;

  async function runAll(): Promise<void> {
    busyLanes += 1;
    await null; // inputs of the same turn go together
    while (waiting.length > 0) await run(takeBatch());
    busyLanes -= 1;
  }

  /** An input that waits for a key goes before those that ask for it later. */
  function takeBatch(): Waiting<Input, Output>[] {
    const taken = new Set<string>();
    const free = waiting.filter(({ input }) => {
      const keys = keysOf(input);
      const isFree = !keys.some((key) => taken.has(key));
      for (const key of keys) taken.add(key);
      return isFree;
    });
    const batch = new Set(inTurn(free).slice(0, max));
    waiting = waiting.filter((each) => !batch.has(each));
    return [...batch];
  }

  function inTurn(inputs: readonly Waiting<Input, Output>[]): Waiting<Input, Output>[] {
    const counts = new Map<string, number>();
    const byTurn = Map.groupBy(inputs, ({ input }) => {
      const turn = (counts.get(ownerOf(input)) ?? 0) + 1;
      counts.set(ownerOf(input), turn);
      return turn;
    });
    return [...byTurn.values()].flat();
  }

  async function run(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = await work(batch.map(({ input }) => input));
      batch.forEach(({ resolve }, index) => resolve(outputs[index] as Output | Promise<Output>));
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error);
      else for (const each of batch) await run([each]);
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (busyLanes < lanes) void runAll();
    });
}
