import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startTestApi } from '../support/api.ts';
import { forkServer } from './create/forked.ts';
import { latencyOf } from './latency.ts';
import { medianOfRounds } from './median.ts';
import { openConnections, postLead } from './send.ts';

export interface FloodBench {
  what: string;
  calmP99Ms: number;
  floodP99Ms: number;
}

const ROUNDS = 3;
const CREATES = 200;
const CONNECTIONS = 10_000;

/** What each connection of the flood says. */
const KINDS = {
  'say nothing': '',
  'send half of a body':
    'POST /v2/oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  'ask for a tunnel': 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'read no response': 'GET /v2/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20),
};

/**
 * The creates of one address, each on a connection of its own, while another address opens 10,000
 * connections and opens each again that is closed. `url` is a migrated database that nobody uses.
 */
export async function benchFlood(url: string): Promise<FloodBench[]> {
  const api = await startTestApi({ databaseUrl: url });
  const { token } = api.client;
  await api.stop();
  const service = await forkServer('service.ts', { DATABASE_URL: url });
  const results: FloodBench[] = [];
  for (const [what, bytes] of Object.entries(KINDS)) {
    const rounds: Omit<FloodBench, 'what'>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const calmP99Ms = await measure(service.url, token);
      const stop = await startFlood(service.url, bytes);
      rounds.push({ calmP99Ms, floodP99Ms: await measure(service.url, token) });
      await stop();
    }
    results.push({ what, ...medianOfRounds(rounds.slice(1)) });
  }
  await service.stop();
  return results;
}

let sent = 0;

async function measure(url: string, token: string): Promise<number> {
  const post = async () => {
    const agent = openConnections();
    sent += 1;
    await postLead(url, { token, agent, body: { leadPhones: [`+97150${3_000_000 + sent}`] } });
    agent.destroy();
  };
  return (await latencyOf(post, { times: CREATES, atOnce: 4 })).p99Ms;
}

/** In a process of its own, which also has a limit of open files of its own. */
async function startFlood(url: string, bytes: string): Promise<() => Promise<void>> {
  const entry = fileURLToPath(new URL('flood/connections.ts', import.meta.url));
  const child = fork(entry, [url, String(CONNECTIONS), bytes]);
  await once(child, 'message');
  return async () => {
    child.kill();
    await once(child, 'exit');
  };
}
