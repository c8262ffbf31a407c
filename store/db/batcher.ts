/** Most inputs of one call. */
const MAX_BATCH = 100;

interface Waiting<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/**
 * Shares statements between concurrent callers: inputs that arrive during a call wait for it and share the
 * next one; without a call under way an input starts one at once. `work` returns one output per input, in
 * their order; after a failed call with several inputs each is tried alone, so that one bad input fails only
 * itself.
 */
export function createBatcher<Input, Output>(
  work: (inputs: readonly Input[]) => Promise<readonly Output[]>,
): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = [];
  let isBusy = false;

  async function runAll(): Promise<void> {
    isBusy = true;
    await null; // inputs of the same turn go together
    while (waiting.length > 0) await run(waiting.splice(0, MAX_BATCH));
    isBusy = false;
  }

  async function run(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = await work(batch.map(({ input }) => input));
      batch.forEach(({ resolve }, index) => resolve(outputs[index] as Output));
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const each of batch) await run([each]);
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (!isBusy) void runAll();
    });
}
