import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../dev/ports.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { fromSetup, withCompileCache } from './environment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type ApiProcess = Awaited<ReturnType<typeof startOnFreePorts>>;

const TRIES = 3;

/** The API as an installation runs it, in a process of its own; ready when this resolves. */
export const startApiProcess = (variables: Record<string, string>) =>
  startServiceProcess('api/server.ts', variables);

/** API or worker as an installation runs it, from the folder of another release where one is given. */
export async function startServiceProcess(
  script: 'api/server.ts' | 'worker/worker.ts',
  variables: Record<string, string>,
  folder = root,
): Promise<ApiProcess> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await startOnFreePorts(script, variables, folder);
    } catch (error) {
      // Another process may take the port between the search for it and its use.
      if (tried === TRIES || !String(error).includes('is taken')) throw error;
    }
  }
}

async function startOnFreePorts(script: string, variables: Record<string, string>, folder: string) {
  const [port, opsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: withCompileCache({
      SECRETS_KEY: '11'.repeat(32),
      DATABASE_POOL: '8',
      HOST: '127.0.0.1',
      PORT: String(port),
      OPS_PORT: String(opsPort),
      WORKER_OPS_PORT: String(opsPort),
      ...(folder === root && { WORKFLOW_BUNDLE: fromSetup('TEST_WORKFLOWS') }),
      ...variables,
    }),
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  let hasEnded = false;
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  void exited.then(() => (hasEnded = true));
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const log = () => Buffer.concat(chunks).toString('utf8');
  const ask = async () => {
    const answer = await fetch(`${opsUrl}/readyz`).then(({ status }) => status, String);
    if (answer !== 200) throw new Error(`${answer}\n${log()}`);
  };
  const abandon = () => (hasEnded ? `${script} ended:\n${log()}` : undefined);
  await waitUntil(ask, { what: script, timeoutMs: 300_000, everyMs: 100, abandon });
  return {
    url: `http://127.0.0.1:${port}/v2`,
    opsUrl,
    /** What it has logged so far. */
    log,
    /** Gives the exit code. */
    stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}
