import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Environment } from './settings.ts';
import type { DemoClient, StackState } from './stack-state.ts';

const DEMO_FILE = 'dev/demo/demo.json';

/** Imports the demo data once: what an operator changed since stays as it is. */
export async function importDemoData(keepsakes: StackState, env: Environment): Promise<void> {
  const content = await readFile(path.join(root, DEMO_FILE));
  const fingerprint = createHash('sha256').update(content).digest('hex');
  if (keepsakes.get('demoData') === fingerprint) return;
  await leadctl(['import', DEMO_FILE], env);
  keepsakes.set('demoData', fingerprint);
}

const created = z.object({ clientId: z.string(), clientSecret: z.string() });
const added = z.object({ endpointId: z.string(), secret: z.string() });

/** The client of the first steps and of the demo, with the stack's own receiver as its endpoint. */
export async function ensureDemoClient(
  keepsakes: StackState,
  receiverUrl: string,
  env: Environment,
): Promise<DemoClient> {
  const hookUrl = `${receiverUrl}/hooks/demo`;
  const kept = keepsakes.get('client');
  if (kept?.hookUrl === hookUrl) return kept;
  const { clientId, clientSecret } = kept ?? (await createClient(env));
  if (kept) await leadctl(['webhook', 'disable', kept.endpointId], env);
  const { endpointId, secret } = await addWebhook(clientId, hookUrl, env);
  const client = { clientId, clientSecret, endpointId, webhookSecret: secret, hookUrl };
  keepsakes.set('client', client);
  return client;
}

/** False when the database no longer knows the client, having been wiped, say. */
export async function isAccepted(client: DemoClient, baseUrl: string): Promise<boolean> {
  const { clientId: client_id, clientSecret: client_secret } = client;
  const answer = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  return answer.status !== 401;
}

async function createClient(env: Environment) {
  return created.parse(
    await leadctl(['client', 'create', '--name', 'demo', '--scope', 'leads:all'], env),
  );
}

async function addWebhook(clientId: string, url: string, env: Environment) {
  const events = ['--events', 'lead.created,lead.assigned'];
  const args = ['webhook', 'add', '--client', clientId, '--url', url, ...events, '--allow-http'];
  return added.parse(await leadctl(args, env));
}

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
