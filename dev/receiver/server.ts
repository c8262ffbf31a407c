import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { parseJson, pathOf, sendJson, serveOnLoopback, type Handler } from '../http.ts';
import { behaviour, createBehaviours, describeBehaviour, respond } from './behaviour.ts';
import {
  createInbox,
  createSecrets,
  page,
  secretInput,
  verify,
  type Received,
  type Secrets,
} from './inbox.ts';

interface ReceiverOptions {
  port?: number;
  /** For every path that has none of its own. */
  secret?: string;
  onReceived?: (call: Received) => void;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * A webhook receiver for development and tests. POST /hooks/<anything> is recorded and verified; GET /
 * shows the calls, GET /received returns them as JSON, DELETE /received deletes them; POST /behaviour
 * changes the responses (behaviour.ts); PUT /secret { secret, path? } sets a secret.
 */
export async function startReceiver(options: ReceiverOptions = {}) {
  const inbox = createInbox();
  const behaviours = createBehaviours();
  const secrets = createSecrets(options.secret);

  const hook: Handler = async (request, response) => {
    const path = pathOf(request);
    const raw = await text(request);
    const how = behaviours.next(path);
    const call = inbox.add(readCall(path, request, raw, secrets, describeBehaviour(how)));
    options.onReceived?.(call);
    await respond(response, how);
  };

  const server = await serveOnLoopback(options.port, {
    'POST /hooks/*': hook,
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
  });

  return {
    ...server,
    /** Newest first. */
    received: inbox.list,
    clear: inbox.clear,
    setBehaviour: behaviours.set,
    setSecret: secrets.set,
  };
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
): Handler {
  return async (request, response) => {
    const input = schema.safeParse(parseJson(await text(request)));
    if (!input.success) return sendJson(response, 400, { error: z.prettifyError(input.error) });
    apply(input.data);
    sendJson(response, 200, { ok: true });
  };
}
