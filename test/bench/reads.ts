import pg from 'pg';
import { startTestApi, type TestApi } from '../support/api.ts';
import { startBareServer } from './bare-server.ts';
import { latencyOf, printTable, type Place } from './harness.ts';
import { importLarge } from './import.ts';

/** As the bare driver takes it. */
interface Statement {
  /** The same for the same text, so that it is prepared once per connection. */
  name: string;
  text: string;
  values: unknown[];
}

const WARM_UP = 20;
const TIMES = 200;
/** The filters name every location there is. */
const LARGE = { bytes: 1_000_000, times: 10 };

const HEAD = ['read', 'bytes', 'statements ms', 'bare HTTP ms', 'this service ms', '× both'];

/** Each reference read of large lists over HTTP, beside what it is made of. */
export async function benchReads(place: Place): Promise<void> {
  const { url } = await importLarge(place);
  const api = await startTestApi({ databaseUrl: url });
  const driver = new pg.Client({ connectionString: url });
  await driver.connect();
  try {
    const rows: (string | number)[][] = [];
    for (const path of await pathsOf(api)) rows.push(await benchRead(api, driver, path));
    printTable(HEAD, rows);
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
  // The same statements by the bare driver, the token's among them, and the same bytes by bare node:http.
  const statementsMs = (await timed(() => replay(driver, statements))).p50Ms;
  const httpMs = (await timed(() => get(bare.url, 'none'))).p50Ms;
  const serviceMs = (await timed(ask)).p50Ms;
  await bare.close();
  const ratio = serviceMs / (statementsMs + httpMs);
  const figures = [statementsMs, httpMs, serviceMs, ratio].map((value) => value.toFixed(2));
  return [path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{id}'), answer.length, ...figures];
}

const names = new Map<string, string>();

function prepared(text: string, values: readonly unknown[] = []): Statement {
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return { name, text, values: [...values] };
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
