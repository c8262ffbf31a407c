import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { parseJson, readBody, sendJson, serveOnLoopback, type LoopbackServer } from '../http.ts';
import { respond, describeBehaviour } from './behaviour.ts';
import { behaviour, createBehaviours, type BehaviourInput } from './behaviour.ts';
import { createInbox, type Received } from './inbox.ts';
import { page } from './inbox.ts';
import { createSecrets, secretInput, type Secrets } from './inbox.ts';
import { verify } from './inbox.ts';

export interface ReceiverOptions {
  port?: number;
  /** For every path that has none of its own. */
  secret?: string;
  onReceived?: (call: Received) => void;
}

export interface Receiver extends LoopbackServer {
  /** Newest first. */
  received(): Received[];
  clear(): void;
  setBehaviour(input: BehaviourInput): void;
  setSecret(secret: string, path?: string): void;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * A webhook receiver for development and tests. POST /hooks/<anything> is recorded and verified; GET /
 * shows the calls, GET /received returns them as JSON, DELETE /received deletes them; POST /behaviour
 * changes the responses (behaviour.ts); PUT /secret { secret, path? } sets a secret.
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const inbox = createInbox();
  const behaviours = createBehaviours();
  const secrets = createSecrets(options.secret);

  const hook: Handle = async (request, response) => {
    const path = pathOf(request);
    const raw = await readBody(request);
    const how = behaviours.next(path);
    const call = inbox.add(readCall(path, request, raw, secrets, describeBehaviour(how)));
    options.onReceived?.(call);
    await respond(response, how);
  };

  const routes: Record<string, Handle> = {
    'GET /': async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(page(inbox.list()));
    },
    'GET /received': async (_, response) => sendJson(response, 200, inbox.list()),
    'DELETE /received': async (_, response) => {
      inbox.clear();
      sendJson(response, 200, []);
    },
    'POST /behaviour': handleJson(behaviour, behaviours.set),
    'PUT /secret': handleJson(secretInput, ({ secret, path }) => secrets.set(secret, path)),
  };

  const server = await serveOnLoopback(options.port, async (request, response) => {
    const isHook = request.method === 'POST' && pathOf(request).startsWith('/hooks/');
    const handle = isHook ? hook : routes[`${request.method} ${pathOf(request)}`];
    if (handle) return handle(request, response);
    sendJson(response, 404, { error: 'not found', try: ['POST /hooks/…', ...Object.keys(routes)] });
  });

  return {
    ...server,
    received: inbox.list,
    clear: inbox.clear,
    setBehaviour: behaviours.set,
    setSecret: secrets.set,
  };
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?')[0] ?? '/';
}

function readCall(
  path: string,
  request: IncomingMessage,
  raw: string,
  secrets: Secrets,
  answered: string,
): Omit<Received, 'attempt'> {
  const headers = request.headers as Record<string, string>;
  return {
    at: new Date().toISOString(),
    path,
    id: headers['webhook-id'] ?? '(none)',
    headers,
    raw,
    body: parseJson(raw),
    answered,
    ...verify(secrets.of(path), raw, headers),
  };
}

function handleJson<Schema extends z.ZodType>(
  schema: Schema,
  apply: (input: z.infer<Schema>) => void,
): Handle {
  return async (request, response) => {
    const input = schema.safeParse(parseJson(await readBody(request)));
    if (!input.success) return sendJson(response, 400, { error: z.prettifyError(input.error) });
    apply(input.data);
    sendJson(response, 200, { ok: true });
  };
}
