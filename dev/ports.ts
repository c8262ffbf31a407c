import { createServer } from 'node:net';

/** The port asked for when it is free, else any free one. */
export async function freePort(preferred = 0): Promise<number> {
  return (
    (await tryPort(preferred)) ??
    (await tryPort(0)) ??
    Promise.reject(new Error('No port is free.'))
  );
}

export async function isFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== null;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.unref();
    server.on('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1' }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address ? address.port : null;
      server.close(() => resolve(taken));
    });
  });
}
