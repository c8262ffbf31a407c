import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createHttpServer } from '../../../api/http/http-server.ts';
import { listenOnLoopback } from '../../support/listen.ts';

const UNREAD_MS = 1000;

let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<number> {
  server = createHttpServer(handle, { log: pino({ level: 'silent' }), maxPerAddress: 10 });
  server.timeout = UNREAD_MS;
  return listenOnLoopback(server);
}

test('an answer that its caller does not read is given up, with its connection', async () => {
  const answers = Promise.withResolvers<ServerResponse>();
  const port = await serve(async (_request, response) => {
    response.end(Buffer.alloc(64 * 1024 * 1024));
    answers.resolve(response);
  });
  const caller = connect(port, '127.0.0.1').pause();
  caller.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const answer = await answers.promise;
  await once(answer, 'close');
  expect(answer.writableFinished).toBe(false);
  caller.destroy();
});

test('an answer that is still in the making is waited for', async () => {
  const port = await serve(async (_request, response) => {
    await sleep(2 * UNREAD_MS);
    response.end('made');
  });
  const answer = await fetch(`http://127.0.0.1:${port}`);
  expect(await answer.text()).toBe('made');
});
