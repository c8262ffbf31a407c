import pg from 'pg';
import { startTestApi, type TestApi } from '../support/api.ts';
import { startBareServer } from './bare-server.ts';
import { latencyOf } from './latency.ts';
import { prepared, type Statement } from './statement.ts';

export type ReadBench = Awaited<ReturnType<typeof benchRead>>;

const WARM_UP = 20;
const TIMES = 200;
/** The filters name every location there is. */
const LARGE = { bytes: 1_000_000, times: 10 };

/** Each reference read over HTTP beside what it is made of. `url` is a database with large lists. */
export async function benchReads(url: string): Promise<ReadBench[]> {
  const api = await startTestApi({ databaseUrl: url });
  const driver = new pg.Client({ connectionString: url });
  await driver.connect();
  try {
    const results: ReadBench[] = [];
    for (const path of await pathsOf(api)) results.push(await benchRead(api, driver, path));
    return results;
  } finally {
    await driver.end();
    await api.stop();
  }
}

async function pathsOf({ database }: TestApi): Promise<string[]> {
  const [ids] = await database.query<Record<string, string>>(
    `select (select id from developers where name = 'Builder 7') as developer,
       (select id from locations where name = 'Creek Heights 4711') as location,
       (select id from locations where name = 'Creek Heights 3') as city,
       (select id from projects where title = 'Project 4711') as project`,
  );
  return [
    '/public/developers?limit=50',
    '/public/developers/search?q=builder%2020&limit=50',
    `/public/developers/${ids?.['developer']}`,
    '/public/locations?limit=50',
    '/public/locations/search?q=creek%20heights%20471&limit=50',
    '/public/locations/search?q=creek%20hieghts%204711&limit=50',
    `/public/locations/${ids?.['location']}`,
    '/public/projects',
    `/public/projects?locationIds=${ids?.['city']}&minPrice=502000&sort=-startingPrice`,
    '/public/projects?q=project%2047',
    `/public/projects/${ids?.['project']}?simplified=false`,
    '/public/projects/map?north=25.001&south=25&west=55&east=55.001',
    '/public/project-statuses',
    '/public/projects/filters',
  ];
}

async function benchRead(api: TestApi, driver: pg.Client, path: string) {
  const ask = () => get(`${api.url}${path}`, api.client.token);
  await ask();
  const { answer, statements } = await recorded(api, ask);
  const bare = await startBareServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  const times = answer.length > LARGE.bytes ? LARGE.times : TIMES;
  const timed = async (work: () => Promise<unknown>) => {
    await latencyOf(async () => void (await work()), {
      times: Math.min(WARM_UP, times),
      atOnce: 1,
    });
    return latencyOf(async () => void (await work()), { times, atOnce: 1 });
  };
  const result = {
    path: path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{id}'),
    bytes: answer.length,
    /** The same statements by the bare driver, the token's among them. */
    driver: await timed(() => replay(driver, statements)),
    /** The same bytes by bare node:http. */
    http: await timed(() => get(bare.url, 'none')),
    service: await timed(ask),
  };
  await bare.close();
  return result;
}

async function recorded(api: TestApi, ask: () => Promise<Buffer>) {
  const statements: Statement[] = [];
  const stops = [api.database, api.catalogue].map((database) =>
    database.onStatement((text, values) => statements.push(prepared(text, values))),
  );
  const answer = await ask();
  for (const stop of stops) stop();
  return { answer, statements };
}

async function replay(driver: pg.Client, [token, ...reads]: readonly Statement[]): Promise<void> {
  if (token) await driver.query(token);
  const isSearch = reads.length > 1;
  if (isSearch) await driver.query('begin isolation level repeatable read read only');
  for (const statement of reads) await driver.query(statement);
  if (isSearch) await driver.query('commit');
}

async function get(url: string, token: string): Promise<Buffer> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`);
  return bytes;
}
