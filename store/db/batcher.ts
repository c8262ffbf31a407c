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
}

/**
 * Shares statements between concurrent callers: inputs that arrive while all lanes are busy wait and share
 * the next call; with a lane free an input starts one at once. `work` returns one output per input, in
 * their order; after a failed call with several inputs each is tried alone, so that one bad input fails only
 * itself, unless the database was away.
 */
export function createBatcher<Input, Output>(
  work: (inputs: readonly Input[]) => Promise<readonly (Output | Promise<Output>)[]>,
  { max = 100, lanes = 1, keysOf = () => [] }: BatcherOptions<Input> = {},
): (input: Input) => Promise<Output> {
  let waiting: Waiting<Input, Output>[] = [];
  let busyLanes = 0;

  async function runAll(): Promise<void> {
    busyLanes += 1;
    await null; // inputs of the same turn go together
    while (waiting.length > 0) await run(takeBatch());
    busyLanes -= 1;
  }

  /** In the order of arrival; who waits for a key goes before those who ask for it later. */
  function takeBatch(): Waiting<Input, Output>[] {
    const taken = new Set<string>();
    const batch: Waiting<Input, Output>[] = [];
    const rest: Waiting<Input, Output>[] = [];
    for (const each of waiting) {
      const keys = keysOf(each.input);
      const isFree = batch.length < max && !keys.some((key) => taken.has(key));
      (isFree ? batch : rest).push(each);
      for (const key of keys) taken.add(key);
    }
    waiting = rest;
    return batch;
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
