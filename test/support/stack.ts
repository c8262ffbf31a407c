import { silentProgress } from '../../dev/progress.ts';
import { createStack, type Stack } from '../../dev/stack.ts';

/** Starts everything that the environment does not give; a start that fails leaves nothing running. */
export async function startStack({ env }: { env: NodeJS.ProcessEnv }): Promise<Stack> {
  const stack = createStack({ env, progress: silentProgress, onUnexpectedExit: () => undefined });
  try {
    return await stack.start();
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
