import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Environment } from './settings.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs one of the project's scripts to its end; gives what it printed, or throws what it said. */
export function runScript(
  script: string,
  args: readonly string[],
  env: Environment,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: root, env: env as NodeJS.ProcessEnv, maxBuffer: 16 * 1024 * 1024 };
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-20).join('\n');
      reject(new Error(`${script} ${args.slice(0, 2).join(' ')} failed:\n${said}`));
    });
  });
}

export async function leadctl(args: readonly string[], env: Environment): Promise<unknown> {
  return JSON.parse(await runScript('cli/main.ts', [...args, '--json'], env));
}
