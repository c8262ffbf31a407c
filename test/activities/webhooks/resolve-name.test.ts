import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createCallEndpoint } from '../../../activities/webhooks/call-endpoint.ts';
import {
  createNameResolver,
  type NameResolverOptions,
} from '../../../activities/webhooks/resolve-name.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { newFolder } from '../../support/folder.ts';
import { listenOnLoopback } from '../../support/listen.ts';
import { startNameServer, type NameServer } from '../../support/name-server.ts';

const NAME = 'hooks.shop.example';
const FOUR = { address: '198.18.0.1', family: 4 };
const SIX = { address: '2606:4700::1', family: 6 };

const names = await startNameServer();
const folder = newFolder();
afterAll(() => names.stop());
beforeEach(() => void names.questions.splice(0));

/** Asks once, for both families: no machine is so busy that an answer takes as long as a try. */
const createResolver = (options: NameResolverOptions = {}) =>
  createNameResolver({
    nameServers: [names.address],
    resolverFile: '/dev/null',
    tryMs: 30_000,
    otherFamilyMs: 30_000,
    ...options,
  });

async function writeLines(name: string, ...lines: string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

describe('the addresses of a name', () => {
  test('are those of both families', async () => {
    names.setAnswers([[FOUR.address, SIX.address]]);
    expect(await createResolver()(NAME)).toEqual([FOUR, SIX]);
  });

  test.each([
    ['IPv4', FOUR],
    ['IPv6', SIX],
  ])('are those of %s where it has no others', async (_, only) => {
    names.setAnswers([[only.address]]);
    expect(await createResolver()(NAME)).toEqual([only]);
  });

  test.each([
    ['hosts', '198.18.0.7  Hooks.Shop.example other # a comment', '198.18.0.7', NAME],
    ['localhost', '# nothing', '127.0.0.1', 'localhost'],
    ['below localhost', '# nothing', '127.0.0.1', 'shop.localhost'],
  ])('come from the machine itself: %s', async (_, line, address, name) => {
    const hostsFile = await writeLines('hosts', line);
    const addresses = await createResolver({ hostsFile })(name);
    expect(addresses[0]).toEqual({ address, family: 4 });
    expect(names.questions).toEqual([]);
  });

  test.each([
    ['a short name', 'hooks', 'hooks.shop.internal'],
    ['a name with a dot that is not known as it stands', 'hooks.eu', 'hooks.eu.shop.internal'],
  ])('are found in a search domain: %s', async (_, name, full) => {
    names.setAnswers(['unknown']);
    names.setAnswers([[FOUR.address]], { name: full });
    const resolverFile = await writeLines('resolv.conf', 'search corp.internal shop.internal');
    expect(await createResolver({ resolverFile })(name)).toEqual([FOUR]);
  });

  test('of a public name come from no search domain', async () => {
    names.setAnswers([[SIX.address]], { name: `${NAME}.shop.internal` });
    names.setAnswers([[FOUR.address]], { name: NAME });
    const resolverFile = await writeLines('resolv.conf', 'domain shop.internal');
    expect(await createResolver({ resolverFile })(NAME)).toEqual([FOUR]);
    names.setAnswers(['unknown'], { name: NAME });
    await expect(createResolver({ resolverFile })(`${NAME}.`)).rejects.toThrow();
  });

  test('are asked for once by calls at the same time', async () => {
    names.setAnswers([[FOUR.address]], { name: NAME });
    const resolve = createResolver();
    await Promise.all([resolve(NAME), resolve(NAME), resolve(NAME)]);
    expect(names.questions.sort()).toEqual([`A ${NAME}`, `AAAA ${NAME}`]);
  });

  test('are kept for their time to live', async () => {
    names.setAnswers([[FOUR.address], ['198.18.0.2']], { name: NAME, ttlSeconds: 1 });
    const resolve = createResolver();
    expect([await resolve(NAME), await resolve(NAME)]).toEqual([[FOUR], [FOUR]]);
    expect(names.questions).toHaveLength(2);
    const changed = async () =>
      expect(await resolve(NAME)).toMatchObject([{ address: '198.18.0.2' }]);
    await waitUntil(changed, { what: 'The next answer' });
  });

  test('are not kept where the question for the other family got no answer', async () => {
    let isLost = true;
    const server: NameServer = await startNameServer(() => {
      const isLostNow = isLost && server.questions.at(-1) === `A ${NAME}`;
      server.setAnswers([isLostNow ? 'silent' : [FOUR.address, SIX.address]], { ttlSeconds: 60 });
    });
    const resolve = createResolver({ nameServers: [server.address], otherFamilyMs: 1 });
    expect(await resolve(NAME)).toEqual([SIX]);
    const asked = server.questions.length;
    isLost = false;
    await resolve(NAME);
    expect(server.questions.length).toBeGreaterThan(asked);
    server.stop();
  });

  test('are not kept where they have no time to live', async () => {
    names.setAnswers([[FOUR.address], ['198.18.0.2']], { name: NAME });
    const resolve = createResolver();
    expect([await resolve(NAME), await resolve(NAME)]).toMatchObject([
      [FOUR],
      [{ address: '198.18.0.2' }],
    ]);
  });
});

describe('a name', () => {
  test('that is not known is asked for anew each time', async () => {
    names.setAnswers(['unknown'], { name: 'nobody.example' });
    const resolve = createResolver();
    await expect(resolve('nobody.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    names.setAnswers([[FOUR.address]], { name: 'nobody.example' });
    expect(await resolve('nobody.example')).toEqual([FOUR]);
  });

  test.each(['silent', 'refused'] as const)(
    'whose name server is %s is asked for again after a pause',
    async (answer) => {
      names.setAnswers([answer], { name: 'bad.example' });
      const resolve = createResolver({ tryMs: 1000 });
      const failure = { code: 'ERR_NO_NAME_SERVER' };
      await expect(resolve('bad.example')).rejects.toMatchObject(failure);
      names.setAnswers([[FOUR.address]], { name: 'bad.example' });
      const asked = names.questions.length;
      await expect(resolve('bad.example')).rejects.toMatchObject(failure);
      expect(names.questions).toHaveLength(asked);
      const answers = async () => expect(await resolve('bad.example')).toEqual([FOUR]);
      await waitUntil(answers, { what: 'The pause' });
    },
  );
});

describe('names whose name servers do not answer', () => {
  test.each([2, 8])('%d of them hold up no call to another', async (count) => {
    const server = createServer((_request, response) => response.end());
    const port = await listenOnLoopback(server);
    names.setAnswers(['silent']);
    names.setAnswers([['127.0.0.1']], { name: 'good.example' });
    const resolve = createResolver({ tryMs: 60_000 });
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
