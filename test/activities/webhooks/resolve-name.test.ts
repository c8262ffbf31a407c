import { createServer } from 'node:http';
import { createCallEndpoint } from '../../../activities/webhooks/call-endpoint.ts';
import { createNameResolver } from '../../../activities/webhooks/resolve-name.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { listenOnLoopback } from '../../support/listen.ts';
import { startNameServer } from '../../support/name-server.ts';

const NAME = 'hooks.shop.example';
const FOUR = { address: '198.18.0.1', family: 4 };
const SIX = { address: '2606:4700::1', family: 6 };

const names = await startNameServer();
afterAll(() => names.stop());
beforeEach(() => void names.questions.splice(0));

/** No machine is so busy that a response takes as long as an attempt. */
const createResolver = ({ attemptMs = 30_000 } = {}) =>
  createNameResolver({ nameServers: [names.address], attemptMs });

describe('the addresses of a name', () => {
  test.each([[[FOUR, SIX]], [[FOUR]], [[SIX]]])('are those that it has: %j', async (addresses) => {
    names.setAnswers([addresses.map(({ address }) => address)]);
    expect(await createResolver()(NAME)).toEqual(addresses);
  });

  test.each(['localhost', 'shop.localhost', 'localhost.'])(
    'of %s are those of the machine itself',
    async (name) => {
      expect(await createResolver()(name)).toEqual([
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
      expect(names.questions).toEqual([]);
    },
  );
});

test('an unknown name is not found', async () => {
  names.setAnswers(['unknown']);
  await expect(createResolver()(NAME)).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test.each(['silent', 'refused'] as const)('a name server may be %s', async (answer) => {
  names.setAnswers([answer]);
  const failure = { code: 'ERR_NO_NAME_SERVER' };
  await expect(createResolver({ attemptMs: 100 })(NAME)).rejects.toMatchObject(failure);
});

describe('names whose name servers do not answer', () => {
  test.each([2, 8])('%d of them hold up no call to another', async (count) => {
    const server = createServer((_request, response) => response.end());
    const port = await listenOnLoopback(server);
    names.setAnswers(['silent']);
    names.setAnswers([['127.0.0.1']], { name: 'good.example' });
    const resolve = createResolver({ attemptMs: 60_000 });
    const call = createCallEndpoint({ timeoutMs: 240_000, allowPrivate: true, resolve });
    const post = (host: string) =>
      call({ url: `http://${host}:${port}/`, allowHttp: true, headers: {}, body: '{}' });
    let ended = 0;
    const bad = Array.from({ length: count }, (_none, index) =>
      post(`bad-${index}.example`).finally(() => (ended += 1)),
    );
    const asked = () => new Set(names.questions.filter((question) => question.includes('bad-')));
    const allAsked = async () => expect(asked().size).toBe(count * 2);
    await waitUntil(allAsked, { what: 'Questions for the bad names' });
    for (let calls = 0; calls < 20; calls += 1)
      expect(await post('good.example')).toMatchObject({ status: 200 });
    expect(ended).toBe(0);
    names.setAnswers(['refused']);
    names.refuseAll();
    for (const each of await Promise.all(bad))
      expect(each).toMatchObject({ error: 'no_name_server' });
    server.closeAllConnections();
    server.close();
  });
});
