import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { DemoClient, State } from './data-folder.ts';

export const root = path.resolve(import.meta.dirname, '../..');
const DEMO_FILE = 'dev/demo/demo.json';

/** Imports the demo data only once, so that it does not overwrite changes by an operator. */
export async function importDemoData(state: State, env: NodeJS.ProcessEnv): Promise<void> {
  const content = await readFile(path.join(root, DEMO_FILE));
  const demoData = createHash('sha256').update(content).digest('hex');
  if (state.stored.demoData === demoData) return;
  await leadctl(['import', DEMO_FILE, '--yes'], env);
  state.keep({ demoData });
}

const listedClients = z.array(z.object({ clientId: z.string() }));
const createdClient = z.object({ clientId: z.string(), clientSecret: z.string() });
const addedEndpoint = z.object({ endpointId: z.string(), secret: z.string() });

const CREATE = ['client', 'create', '--name', 'demo', '--scope', 'leads:all'];
const ENDPOINT_OPTIONS = ['--events', 'lead.created,lead.assigned', '--allow-http'];

export async function ensureDemoClient(
  state: State,
  receiverUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<DemoClient> {
  await forgetOtherDatabase(state, env);
  const stored = state.stored.client;
  const hookUrl = `${receiverUrl}/hooks/demo`;
  if (stored?.hookUrl === hookUrl) return stored;
  if (stored) await leadctl(['webhook', 'disable', stored.endpointId, '--yes'], env);
  const { clientId, clientSecret } = stored ?? createdClient.parse(await leadctl(CREATE, env));
  const args = ['webhook', 'add', '--client', clientId, '--url', hookUrl, ...ENDPOINT_OPTIONS];
  const { endpointId, secret } = addedEndpoint.parse(await leadctl(args, env));
  const client = { clientId, clientSecret, endpointId, webhookSecret: secret, hookUrl };
  state.keep({ client });
  return client;
}

/** The database may be another one, or was emptied. */
async function forgetOtherDatabase({ stored, keep }: State, env: NodeJS.ProcessEnv) {
  if (!stored.client) return;
  const known = listedClients.parse(await leadctl(['client', 'list'], env));
  const isKnown = known.some(({ clientId }) => clientId === stored.client?.clientId);
  if (!isKnown) keep({ client: undefined, demoData: undefined });
}

export async function runScript(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const options = { cwd: root, env, maxBuffer: 16 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(process.execPath, [script, ...args], options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as Record<'stdout' | 'stderr', string>;
    const output = `${stdout}\n${stderr}`.trim().split('\n').slice(-20).join('\n');
    throw new Error(`${script} ${args.slice(0, 2).join(' ')} failed:\n${output}`);
  }
}

const leadctl = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<unknown> =>
  JSON.parse(await runScript('cli/main.ts', [...args, '--json'], env));
