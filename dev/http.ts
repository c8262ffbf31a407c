import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa from 'koa';
import { z } from 'zod';
import { freePort } from './ports.ts';

export type Handler = (http: Koa.Context) => Promise<void> | void;

/** Routes are `METHOD /path`. */
export async function serveOnLoopback(port: number | undefined, routes: Record<string, Handler>) {
  const router = new Router();
  for (const [route, handle] of Object.entries(routes)) {
    const [method = '', path = ''] = route.split(' ');
    router.register(path, [method], (http) => handle(http));
  }
  const app = new Koa();
  app.silent = true;
  app.use(router.routes()).use((http) => {
    http.status = 404;
    http.body = { error: 'not found', try: Object.keys(routes) };
  });
  const boundPort = await freePort(port);
  const server = app.listen(boundPort, '127.0.0.1');
  await once(server, 'listening');
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections(); // a hanging one would keep the server open
    });
  return { url: `http://127.0.0.1:${boundPort}`, stop };
}

export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export function handleJson<Schema extends z.ZodType>(
  schema: Schema,
  apply: (input: z.infer<Schema>) => unknown,
): Handler {
  return async (http) => {
    const { success, data, error } = schema.safeParse(parseJson(await text(http.req)));
    http.status = success ? 200 : 400;
    http.body = success ? (apply(data) ?? { ok: true }) : { error: z.prettifyError(error) };
  };
}

export function respondNever(http: Koa.Context): void {
  http.respond = false;
}

export function respondForever(http: Koa.Context, contentType: string): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const chunks = function* () {
    for (;;) yield chunk;
  };
  http.type = contentType;
  http.body = Readable.from(chunks());
}

/** A mode with `times` applies to so many calls, then the fallback applies again. */
export function createModes<Mode extends { times?: number | undefined }>(fallback: Mode) {
  const modes = new Map<string, Mode>();
  return {
    set: (key: string, mode: Mode) => void modes.set(key, mode),
    next(...keys: string[]): Mode {
      const key = keys.find((each) => modes.has(each)) ?? '';
      const mode = modes.get(key) ?? fallback;
      if (mode.times === 1) modes.delete(key);
      else if (mode.times) modes.set(key, { ...mode, times: mode.times - 1 });
      return mode;
    },
  };
}
