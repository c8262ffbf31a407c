import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { createModes, handleJson, parseJson, serveOnLoopback, type Handler } from '../http.ts';
import { behaviour, describeBehaviour, respond, type BehaviourInput } from './behaviour.ts';
import { createInbox, page, verify, type Received } from './inbox.ts';

interface ReceiverOptions {
  port?: number;
  /** For every path that has none of its own. */
  secret?: string | undefined;
  onReceived?: (call: Received) => void;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const secretInput = z.object({
  secret: z.string().min(1),
  path: z.string().startsWith('/').optional(),
});

/** In place of a path: a behaviour or secret for each path that has none of its own. */
const EVERYWHERE = '*';

/**
 * A webhook receiver for development and tests. POST /hooks/<anything> is recorded and verified; GET /
 * shows the calls, GET /received returns them as JSON, DELETE /received deletes them; POST /behaviour
 * changes the responses (behaviour.ts); PUT /secret { secret, path? } sets a secret.
 */
export async function startReceiver({ port, secret: given, onReceived }: ReceiverOptions = {}) {
  const inbox = createInbox();
  const behaviours = createModes(behaviour.parse({ mode: 'ok' }));
  const secrets = new Map(given === undefined ? [] : [[EVERYWHERE, given]]);
  const setSecret = (secret: string, path = EVERYWHERE) => void secrets.set(path, secret);
  const setBehaviour = (input: BehaviourInput) => {
    const parsed = behaviour.parse(input);
    behaviours.set(parsed.path ?? EVERYWHERE, parsed);
  };

  const hook: Handler = async (http) => {
    const { path } = http;
    const headers = http.headers as Record<string, string>;
    const raw = await text(http.req);
    const how = behaviours.next(path, EVERYWHERE);
    const call = inbox.add({
      at: new Date().toISOString(),
      path,
      id: headers['webhook-id'] ?? '(none)',
      headers,
      raw,
      body: parseJson(raw),
      answered: describeBehaviour(how),
      ...verify(secrets.get(path) ?? secrets.get(EVERYWHERE), raw, headers),
    });
    onReceived?.(call);
    await respond(http, how);
  };

  const server = await serveOnLoopback(port, {
    'POST /hooks/{*any}': hook,
    'GET /': (http) => void (http.body = page(inbox.list())),
    'GET /received': (http) => void (http.body = inbox.list()),
    'DELETE /received': (http) => {
      inbox.clear();
      http.body = [];
    },
    'POST /behaviour': handleJson(behaviour, (input) => setBehaviour(input)),
    'PUT /secret': handleJson(secretInput, ({ secret, path }) => setSecret(secret, path)),
  });
  /** Calls are listed newest first. */
  return { ...server, received: inbox.list, clear: inbox.clear, setBehaviour, setSecret };
}
