import { freePort } from '../../../dev/ports.ts';
import { startProgram } from './program.ts';
import type { Keep } from './stoppable.ts';

/** A receiver of webhooks in a process of its own, until the end; returns its address. */
export async function startReceiver(keep: Keep, folder: string): Promise<string> {
  const port = await freePort();
  const entry = 'test/bench/lifecycle/receiver.ts';
  await keep(
    startProgram({ name: 'receiver', folder, readyPort: port, entry, args: [String(port)] }),
  );
  return `http://127.0.0.1:${port}`;
}
