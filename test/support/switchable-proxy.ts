import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './listen.ts';

export type ProxyMode = 'open' | 'refusing' | 'hanging';

export type SwitchableProxy = Awaited<ReturnType<typeof startProxy>>;

/** Stands before a server of a test, so that the server can be away without being stopped. */
async function startProxy(target: { host: string; port: number }) {
  let mode: ProxyMode = 'open';
  let refused = 0;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    if (mode === 'refusing') {
      refused += 1;
      return void near.destroy();
    }
    const far = connect(target.port, target.host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('data', (chunk) => mode === 'open' && to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  return {
    port: await listenOnLoopback(server),
    /** How many connections it has refused. */
    refused: () => refused,
    /** `refusing` cuts what is open; `hanging` takes connections and passes nothing on. */
    turn(next: ProxyMode) {
      mode = next;
      if (next !== 'hanging') for (const socket of open) socket.destroy();
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The same database by way of a proxy: its address, and the proxy to turn. */
export async function proxied(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { url: url.href, proxy };
}
