import { z } from 'zod';
import type { DemoClient, Keepsakes } from './stack-state.ts';
import { leadctl } from './scripts.ts';
import type { Environment } from './settings.ts';

const created = z.object({ clientId: z.string(), clientSecret: z.string() });
const added = z.object({ endpointId: z.string(), secret: z.string() });

/** The client of the first steps and of the demo, with the stack's own receiver as its endpoint. */
export async function ensureDemoClient(
  keepsakes: Keepsakes,
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
  keepsakes.keep('client', client);
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
