import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { freePort } from './ports.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Routes are `METHOD /path`, or `METHOD /path/*` for every path below. */
export async function serveOnLoopback(port: number | undefined, routes: Record<string, Handler>) {
  const notFound: Handler = async (_, response) =>
    sendJson(response, 404, { error: 'not found', try: Object.keys(routes) });
  const listener: RequestListener = (request, response) => {
    const route = `${request.method} ${pathOf(request)}`;
    const handle = routes[route] ?? routes[route.replace(/^(\w+ \/[^/]+\/).*$/, '$1*')] ?? notFound;
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: String(error) });
    });
  };
  const server = createServer(listener);
  const boundPort = await freePort(port);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(boundPort, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${boundPort}`, stop: () => close(server) };
}

export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?')[0] ?? '/';
}

/** Ends open connections too: a hanging one would keep the server open. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

/** Writes until the client closes the connection. */
export function sendForever(response: ServerResponse, contentType: string): void {
  response.writeHead(200, { 'content-type': contentType });
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
}

/** The current mode per key; one with `times` applies to so many calls, then the fallback again. */
export function createModes<Mode extends { times?: number | undefined }>(fallback: Mode) {
  const modes = new Map<string, Mode>();
  return {
    set: (key: string, mode: Mode) => void modes.set(key, mode),
    /** The mode of the first of the keys that has one. */
    next(...keys: string[]): Mode {
      const key = keys.find((each) => modes.has(each)) ?? '';
      const mode = modes.get(key) ?? fallback;
      if (mode.times === 1) modes.delete(key);
      else if (mode.times) modes.set(key, { ...mode, times: mode.times - 1 });
      return mode;
    },
  };
}
