import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from 'koa';
import { Webhook } from 'standardwebhooks';
import {
  createModes,
  handleJson,
  parseJson,
  serveOnLoopback,
  type Handler,
  respondForever,
  respondNever,
} from '../http.ts';

interface ReceiverOptions {
  port?: number;
  secret?: string | undefined;
  onReceived?: (call: Received) => void | Promise<void>;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const secretInput = z.object({
  secret: z.string().min(1),
  path: z.string().startsWith('/').optional(),
});

const MOST_KEPT = 5000;

/** The default for paths without a behaviour or secret. */
const EVERYWHERE = '*';

/**
 * POST /hooks/<anything> records and verifies a call. GET / shows the calls, GET and DELETE /received return and
 * delete them. POST /behaviour changes the responses. PUT /secret { secret, path? } sets a secret.
 */
export async function startReceiver({ port, secret: given, onReceived }: ReceiverOptions = {}) {
  let kept: Received[] = [];
  const clear = () => void (kept = []);
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
    const id = headers['webhook-id'] ?? '(none)';
    const earlier = kept.find((each) => each.id === id && each.path === path);
    const call = {
      at: new Date().toISOString(),
      path,
      id,
      headers,
      raw,
      body: parseJson(raw),
      answered: describeBehaviour(how),
      ...verify(secrets.get(path) ?? secrets.get(EVERYWHERE), raw, headers),
      attempt: (earlier?.attempt ?? 0) + 1,
    };
    kept = [call, ...kept].slice(0, MOST_KEPT);
    await onReceived?.(call);
    await respond(http, how);
  };

  const server = await serveOnLoopback(port, {
    'POST /hooks/{*any}': hook,
    'GET /': (http) => void (http.body = page(kept)),
    'GET /received': (http) => void (http.body = kept),
    'DELETE /received': (http) => {
      clear();
      http.body = kept;
    },
    'POST /behaviour': handleJson(behaviour, (input) => setBehaviour(input)),
    'PUT /secret': handleJson(secretInput, ({ secret, path }) => setSecret(secret, path)),
  });
  return { ...server, received: () => [...kept], clear, setBehaviour, setSecret };
}

/** Applies to the next `times` calls, or until it is changed. */
export const behaviour = z.object({
  mode: z.enum([
    'ok',
    'fail', // `status`, 500 unless said otherwise
    'hang', // never responds
    'slow', // responds after `delayMs`
    'redirect', // 302 to `location`
    'close', // closes the connection without a response
    'gone', // 410
    'throttle', // 429 with Retry-After `retryAfterSeconds`
    'endless', // 200 with a body that does not end
  ]),
  times: z.number().int().positive().optional(),
  /** Only for this path. By default for all paths without a behaviour. */
  path: z.string().startsWith('/').optional(),
  status: z.number().int().min(200).max(599).optional(),
  delayMs: z.number().int().min(0).default(5000),
  retryAfterSeconds: z.number().int().min(0).default(5),
  location: z.string().default('/elsewhere'),
});

export type Behaviour = z.infer<typeof behaviour>;
export type BehaviourInput = z.input<typeof behaviour>;

const RESPONSES: Partial<Record<Behaviour['mode'], readonly [status: number, body: object]>> = {
  ok: [200, { received: true }],
  slow: [200, { received: true }],
  fail: [500, { error: 'failure requested' }],
  redirect: [302, {}],
  gone: [410, { error: 'gone' }],
  throttle: [429, {}],
};

function describeBehaviour({ mode, status = RESPONSES[mode]?.[0], delayMs }: Behaviour) {
  if (!RESPONSES[mode]) return mode;
  return mode === 'slow' ? `${status} after ${delayMs} ms` : String(status);
}

async function respond(http: Context, how: Behaviour): Promise<void> {
  const [status, body] = RESPONSES[how.mode] ?? [200, {}];
  http.status = how.status ?? status;
  http.body = body;
  if (how.mode === 'redirect') http.set('Location', how.location);
  if (how.mode === 'throttle') http.set('Retry-After', String(how.retryAfterSeconds));
  if (how.mode === 'slow') await sleep(how.delayMs);
  if (how.mode === 'endless') respondForever(http, 'text/plain');
  if (how.mode === 'hang' || how.mode === 'close') respondNever(http);
  if (how.mode === 'close') http.res.destroy();
}

export interface Received extends Verification {
  at: string;
  path: string;
  id: string;
  attempt: number;
  headers: Record<string, string>;
  raw: string;
  body: unknown;
  answered: string;
}

export interface Verification {
  /** `unchecked` if the path has no secret. */
  verdict: 'verified' | 'refused' | 'unchecked';
  reason: string | null;
}

function verify(
  secret: string | undefined,
  body: string,
  headers: Record<string, string>,
): Verification {
  if (secret === undefined) return { verdict: 'unchecked', reason: 'no secret is known' };
  try {
    new Webhook(secret).verify(body, headers);
    return { verdict: 'verified', reason: null };
  } catch (error) {
    return { verdict: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
}

const MOST_SHOWN = 100;

const STYLE = `
  body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #222 }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; vertical-align: top; padding: .4rem .8rem; border-bottom: 1px solid #ddd }
  pre { margin: 0; white-space: pre-wrap; max-width: 60rem }
  .verified { color: #17692d } .refused { color: #a3170f } .unchecked { color: #80610a }`;

function page(received: readonly Received[]): string {
  const rows = received.slice(0, MOST_SHOWN).map(row).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<title>Webhooks received</title><style>${STYLE}</style></head>
<body><h1>Webhooks received: ${received.length}</h1>
<table><tr><th>At</th><th>Path</th><th>Event</th><th>Signature</th><th>Answered</th><th>Body</th></tr>
${rows}</table></body></html>`;
}

function row(call: Received): string {
  const { at, path, id, attempt, verdict, reason, answered, body, raw } = call;
  const shown = body === undefined ? raw : JSON.stringify(body, null, 2);
  const signature = `<span class="${verdict}">${verdict}</span><br>${escaped(reason ?? '')}`;
  return `<tr><td>${at}</td><td>${escaped(path)}</td><td>${escaped(id)}<br>try ${attempt}</td>
<td>${signature}</td><td>${escaped(answered)}</td><td><pre>${escaped(shown)}</pre></td></tr>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
