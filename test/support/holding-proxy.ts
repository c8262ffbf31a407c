import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './listen.ts';

interface Hold {
  text: string;
  /** At which statement that names the text: 1 for the first. */
  statement: number;
  /** The statement before it is run, or its response after. */
  what: 'statement' | 'response';
}

export type HoldingProxy = Awaited<ReturnType<typeof startHoldingProxy>>;

/** Stands before a database, so that a process waits at a statement, or for its response, until it is released. */
export async function startHoldingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  const counts = new Map<string, number>();
  const held: (() => void)[] = [];
  let hold: (Hold & { reached: () => void }) | null = null;
  let isCut = false;

  function isHeldNow(chunk: Buffer): boolean {
    for (const [text, count] of counts) if (chunk.includes(text)) counts.set(text, count + 1);
    return hold !== null && chunk.includes(hold.text) && counts.get(hold.text) === hold.statement;
  }

  /** What is held of a connection that ends meanwhile is lost. */
  function holdBack(from: Socket, to: Socket, chunk: Buffer): void {
    from.pause();
    held.push(() => {
      if (to.destroyed || from.destroyed) return;
      to.write(chunk);
      from.resume();
    });
    hold?.reached();
    hold = null;
  }

  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    let holdsResponse = false;
    near.on('data', (chunk) => {
      const isHeld = isHeldNow(chunk);
      if (isHeld && hold?.what === 'statement') return holdBack(near, far, chunk);
      holdsResponse ||= isHeld;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (!holdsResponse) return void near.write(chunk);
      holdsResponse = false;
      holdBack(far, near, chunk);
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(await listenOnLoopback(server));
  return {
    url: url.href,
    /** Counts the statements that name it from now on. */
    watch: (text: string) => void counts.set(text, 0),
    /** Resolves when the statement or its response is held. */
    hold(next: Hold): Promise<void> {
      return new Promise((reached) => {
        hold = { ...next, reached };
      });
    },
    release(): void {
      for (const pass of held.splice(0)) pass();
    },
    /** Refuses all connections from now on. */
    cut(): void {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    async stop(): Promise<void> {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
