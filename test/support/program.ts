import { execFile } from 'node:child_process';
import { withCompileCache } from './environment.ts';

export interface Ended {
  /** The exit code of the program. Null if the program does not exist. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ProgramOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** What it reads from its standard input. */
  input?: string;
  limitMs?: number;
}

/** For one that never ends: nothing that waits for it in turn would be ended by a test's own limit. */
const LIMIT_MS = 300_000;

/** Runs it where nothing larger than a block may be written, as on a full disk. */
export function runWithoutSpace(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<Ended> {
  const limited = `ulimit -f 1; trap '' XFSZ; exec "$0" "$@"`;
  return runProgram('sh', ['-c', limited, command, ...args], options);
}

/** Runs a program to its end. */
export function runProgram(
  command: string,
  args: readonly string[],
  { input = '', limitMs = LIMIT_MS, env, ...others }: ProgramOptions = {},
): Promise<Ended> {
  const options = { ...others, ...(env && { env: withCompileCache(env) }) };
  return new Promise((resolve, reject) => {
    const limits = { timeout: limitMs, killSignal: 'SIGKILL' as const };
    const child = execFile(command, args, { ...options, ...limits }, (error, stdout, stderr) => {
      if (error?.killed) return reject(new Error(`${command} has no end:\n${stdout}\n${stderr}`));
      const code = error ? error.code : 0;
      resolve({ code: typeof code === 'number' ? code : null, stdout, stderr });
    });
    child.stdin?.on('error', () => undefined); // it need not read it
    child.stdin?.end(input);
  });
}
