import { forkServer } from '../bench/create/forked.ts';
import { peakMegabytesOf } from '../bench/cpu.ts';
import { startFlood } from '../bench/flood/start.ts';
import { openConnections, postLead } from '../bench/send.ts';
import { startTestApi } from '../support/api.ts';

/** What docker-compose.yml and the manifests of Kubernetes give the API's container. */
const CONTAINER_MEGABYTES = 1024;
/** Creates beside each flood. */
const CREATES = 100;

const api = await startTestApi();
/** In a process of its own, whose memory is its own. */
const service = await forkServer('service.ts', { DATABASE_URL: api.config.database.url });
afterAll(async () => {
  await service.stop();
  await api.stop();
});

let sent = 0;

async function createOne(): Promise<void> {
  const { token } = api.client;
  const agent = openConnections();
  sent += 1;
  await postLead(service.url, {
    token,
    agent,
    body: { leadPhones: [`+97150${2_000_000 + sent}`] },
  });
  agent.destroy();
}

test.each([
  { connections: 4000, what: 'send all but a byte of the longest body' },
  { connections: 4000, what: 'read no response' },
] as const)('$connections connections that $what', async ({ connections, what }) => {
  const flood = { what, connections, addresses: 4, opensAgain: false };
  const stop = await startFlood({ url: service.url, ...flood });
  for (let created = 0; created < CREATES; created += 1) await createOne();
  await stop();
  // 0 where there is no /proc.
  expect(peakMegabytesOf(service.pid)).toBeLessThan(CONTAINER_MEGABYTES);
});
