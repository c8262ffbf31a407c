import { startTestApi } from '../support/api.ts';
import { cpuMsOf, peakMegabytesOf } from './cpu.ts';
import { forkServer, type Forked } from './create/forked.ts';
import { FLOODS, startFlood } from './flood/start.ts';
import { latencyOf, type Latency } from './latency.ts';
import { medianOfRounds } from './median.ts';
import { openConnections, postLead, send } from './send.ts';

export interface FloodBench {
  floods: FloodFigures[];
  /** The process's CPU of one call of the document. */
  documentMs: number;
}

export interface FloodFigures {
  what: string;
  calmP99Ms: number;
  floodP99Ms: number;
  floodMaxMs: number;
  /** The most that the process has held since it began. */
  peakMegabytes: number;
}

const ROUNDS = 3;
const CREATES = 200;
const CONNECTIONS = 10_000;
const DOCUMENTS = 1000;

/**
 * The creates of one address, each on a connection of its own, while another address opens 10,000
 * connections and opens each again that is closed; and what one call of the document costs. `url` is a migrated
 * database that nobody uses.
 */
export async function benchFlood(url: string): Promise<FloodBench> {
  const api = await startTestApi({ databaseUrl: url });
  const { token } = api.client;
  await api.stop();
  const service = await forkServer('service.ts', { DATABASE_URL: url });
  const documentMs = await cpuOfDocument(service);
  const floods: FloodFigures[] = [];
  for (const what of FLOODS) {
    const rounds: Omit<FloodFigures, 'what'>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const calm = await measure(service.url, token);
      const flood = { what, connections: CONNECTIONS, addresses: 1, opensAgain: true };
      const stop = await startFlood({ url: service.url, ...flood });
      const flooded = await measure(service.url, token);
      await stop();
      rounds.push({
        calmP99Ms: calm.p99Ms,
        floodP99Ms: flooded.p99Ms,
        floodMaxMs: flooded.maxMs,
        peakMegabytes: peakMegabytesOf(service.pid),
      });
    }
    floods.push({ what, ...medianOfRounds(rounds.slice(1)) });
  }
  await service.stop();
  return { floods, documentMs };
}

async function cpuOfDocument({ url, pid }: Forked): Promise<number> {
  const agent = openConnections();
  const message = { url: new URL('/v2/openapi.json', url).href, method: 'GET' };
  const read = () => send(message, { token: '', agent });
  await latencyOf(read, { times: CREATES, atOnce: 4 });
  const before = cpuMsOf(pid);
  await latencyOf(read, { times: DOCUMENTS, atOnce: 4 });
  agent.destroy();
  return (cpuMsOf(pid) - before) / DOCUMENTS;
}

let sent = 0;

function measure(url: string, token: string): Promise<Latency> {
  const post = async () => {
    const agent = openConnections();
    sent += 1;
    await postLead(url, { token, agent, body: { leadPhones: [`+97150${3_000_000 + sent}`] } });
    agent.destroy();
  };
  return latencyOf(post, { times: CREATES, atOnce: 4 });
}
