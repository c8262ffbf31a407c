import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from './listen.ts';

/** What a request gets: no response, a lost one to a request that was carried out, or this one. */
export type Fault =
  'hang' | 'lost' | { status: number; body: string; headers?: Record<string, string> };

/** Headers of one connection, or of a body that is passed on decoded. */
const HOP_BY_HOP = [
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'transfer-encoding',
];
const isEndToEnd = ([name]: [string, unknown]) =>
  !HOP_BY_HOP.includes(name) && !name.startsWith('keep-') && name !== 'expect';

/** Stands before the API at `target`, and fails as proxies, networks and the service do. */
export async function startFailingServer(target: string) {
  const requests: string[] = [];
  const served: string[] = [];
  const faults: { path: string; fault: Fault }[] = [];

  function takeFault(path: string): Fault | undefined {
    const at = faults.findIndex((one) => path.endsWith(one.path));
    return at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const { pathname } = new URL(url, target);
    const name = `${method} ${pathname.replace(new URL(target).pathname, '')}`;
    requests.push(name);
    const fault = takeFault(pathname);
    const body = await buffer(request);
    if (fault === 'hang') return;
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const passedOn = await fetch(`${new URL(target).origin}${url}`, {
      method,
      headers: Object.entries(headers).filter(isEndToEnd) as [string, string][],
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    served.push(`${passedOn.status} ${name}`);
    const text = await passedOn.text();
    if (fault === 'lost') request.socket.destroy();
    else
      response
        .writeHead(passedOn.status, [...passedOn.headers].filter(isEndToEnd).flat())
        .end(text);
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => request.socket.destroy());
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}${new URL(target).pathname}`,
    /** `POST /oauth2/token` and the like, in the order of arrival. */
    requests,
    /** The same with the status of what the API answered: `201 POST /public/leads`. */
    served,
    /** The next requests of a path that ends so get these, one each; then everything is passed on again. */
    fail: (path: string, ...wanted: Fault[]) =>
      faults.push(...wanted.map((fault) => ({ path, fault }))),
    /** Forgets requests and faults. */
    clear() {
      requests.length = 0;
      served.length = 0;
      faults.length = 0;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
