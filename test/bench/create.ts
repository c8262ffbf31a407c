import pg from 'pg';
import { hashSecret } from '../../domain/clients/credentials.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';
import { startBareServer } from './bare-server.ts';
import { recordScripts, type BenchClient, type Script } from './create-scripts.ts';
import { latencyOf, type Latency } from './latency.ts';
import { postLead } from './post-lead.ts';

export interface CreateBench {
  atOnce: number;
  /** The same statements by the bare driver. */
  driver: Latency;
  /** And those behind bare node:http. */
  http: Latency;
  create: Latency;
}

const CONNECTIONS = 16;
const WARM_UP = 100;
const TIMES = 800;

type Copy = (name: string) => Promise<string>;

/**
 * A create over HTTP beside its own statements without us: by the bare driver, and behind bare
 * node:http. `url` is a migrated database that nobody uses; `copy` makes another one of it.
 */
export async function benchCreate(url: string, copy: Copy): Promise<CreateBench[]> {
  const client = await prepare(url);
  const results: CreateBench[] = [];
  for (const atOnce of [1, CONNECTIONS]) {
    const name = (part: string) => copy(`bench_${part}_${atOnce}`);
    const bodies = Array.from({ length: WARM_UP + TIMES }, (_none, index) => bodyOf(index));
    const recorder = await startTestApi({ databaseUrl: await name('record') });
    const scripts = await recordScripts(recorder.database, client, bodies);
    await recorder.stop();
    results.push({
      atOnce,
      driver: await benchDriver(await name('driver'), scripts, atOnce),
      http: await benchHttp(await name('http'), scripts, atOnce),
      create: await benchApi(await name('create'), client.token, bodies, atOnce),
    });
  }
  return results;
}

async function prepare(url: string): Promise<BenchClient & { token: string }> {
  const api = await startTestApi({ databaseUrl: url });
  await seedReference(api.database);
  await api.stop();
  const { id, token } = api.client;
  return { id, token, tokenHash: hashSecret(token) };
}

function bodyOf(index: number): Record<string, unknown> {
  return {
    leadPhones: [`+97150${1_000_000 + index}`],
    leadEmails: [`person${index}@mail.example`],
    leadFirstName: 'عائشة',
    source: 'Website',
    subSource: ['Chat'],
    areaOfInterest: 'Dubai Marina',
    referenceNo: 'AG-P-1',
    languages: ['ar', 'en'],
    initialInquiry: 'Two bedrooms with a sea view, please.',
    comments: [{ text: 'Hello' }],
  };
}

async function timed(work: (index: number) => Promise<void>, atOnce: number): Promise<Latency> {
  await latencyOf(work, { times: WARM_UP, atOnce });
  return latencyOf(work, { from: WARM_UP, times: TIMES, atOnce });
}

async function replay(pool: pg.Pool, script: Script): Promise<void> {
  const client = await pool.connect();
  const [token, ...transaction] = script;
  if (token) await client.query(token);
  await client.query('begin');
  for (const statement of transaction) await client.query(statement);
  await client.query('commit');
  client.release();
}

async function benchDriver(url: string, scripts: Script[], atOnce: number): Promise<Latency> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  const latency = await timed((index) => replay(pool, scripts[index] as Script), atOnce);
  await pool.end();
  return latency;
}

async function benchHttp(url: string, scripts: Script[], atOnce: number): Promise<Latency> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  const server = await startBareServer((request, response) => {
    const index = Number(request.url?.slice(1));
    request.resume().on('end', () => {
      void replay(pool, scripts[index] as Script).then(() => response.writeHead(201).end('{}'));
    });
  });
  const post = (index: number) => postLead(`${server.url}/${index}`, 'none', bodyOf(index));
  const latency = await timed(post, atOnce);
  await server.close();
  await pool.end();
  return latency;
}

async function benchApi(
  databaseUrl: string,
  token: string,
  bodies: readonly object[],
  atOnce: number,
): Promise<Latency> {
  const variables = { DATABASE_POOL: String(CONNECTIONS) };
  const api: TestApi = await startTestApi({ databaseUrl, variables });
  const post = (index: number) =>
    postLead(`${api.url}/public/leads`, token, bodies[index] as object);
  const latency = await timed(post, atOnce);
  await api.stop();
  return latency;
}
