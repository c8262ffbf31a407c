import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { lastLines, startSupervised } from '../../../dev/process/supervised.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import type { Stoppable } from './stoppable.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Program extends Stoppable {
  pid: number;
}

export interface ProgramOptions {
  /** The name of its log file in `folder`. */
  name: string;
  folder: string;
  /** Below the root of the project. */
  entry: string;
  args?: readonly string[];
  env?: Record<string, string>;
  /** Where `/readyz` answers 200 once it is ready. */
  readyPort: number;
}

/**
 * Runs an entry file in a process of its own and waits until it is ready. Stopping it is a kill: its
 * database and its Temporal server are thrown away with it.
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { name, folder, entry, args = [], env = {}, readyPort } = options;
  const program = await startSupervised({
    name,
    command: process.execPath,
    args: [entry, ...args],
    env,
    cwd: root,
    logFile: path.join(folder, `${name}.log`),
  });
  let hasEnded = false;
  void program.exited.then(() => (hasEnded = true));
  const ready = async () => {
    const { ok, status } = await fetch(`http://127.0.0.1:${readyPort}/readyz`);
    if (!ok) throw new Error(`it answers ${status}`);
  };
  const abandon = () =>
    hasEnded ? `${name} ended while starting:\n${lastLines(program.logFile, 20)}` : undefined;
  try {
    await waitUntil(ready, { what: name, abandon });
  } catch (error) {
    await program.kill();
    throw error;
  }
  return { pid: program.pid, stop: program.kill };
}
