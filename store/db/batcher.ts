/** Most inputs of one call. */
const LIMIT = 100;

interface Waiting<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/**
 * Shares statements between those who need the same one at once: inputs that arrive while a call is under
 * way wait for it and share the next one. A single input waits for nobody. `work` gives one output per
 * input, in their order; where a call with several fails, each is tried alone, so that one bad input fails
 * only itself.
 */
export function createBatcher<Input, Output>(
  work: (inputs: readonly Input[]) => Promise<readonly Output[]>,
): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = [];
  let isBusy = false;

  async function runAll(): Promise<void> {
    isBusy = true;
    await null; // what is asked for in the same turn goes together
    while (waiting.length > 0) await run(waiting.splice(0, LIMIT));
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
