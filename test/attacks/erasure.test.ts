import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { loadCommands } from '../../cli/commands.ts';
import { startRegistry, type Registry } from '../../dev/registry.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { registryVariables } from '../api/dncr/service.ts';
import { leadctlFor, type Leadctl } from '../cli/leadctl.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { asAdmin, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { document } from '../support/documented.ts';
import { newFolder } from '../support/folder.ts';
import { listenOnLoopback } from '../support/listen.ts';
import { startApiProcess, startServiceProcess, type ApiProcess } from '../support/process.ts';
import { activateRules, makeAgents, makePool, makeSource, makeTeam } from '../support/routing.ts';
import { createSentinels } from '../support/sentinels.ts';
import { openTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { readWholeDatabase, readWholeTemporal } from '../support/whole-store.ts';

// eslint-disable-next-line no-restricted-properties -- 1000 are asked for now and then, by hand
const LEADS = Number(process.env.ERASURE_LEADS ?? 40);
const LEADS_OF_ONE = 4;
const MANY_LEADS = 12;
const KILLS = 5;

const schemas = document.components?.schemas ?? {};
/** Sentinels of persons who are erased, of those who are not, and of the one who is searched for in every form. */
const [erased, staying, inAllForms] = [1, 2, 3].map(() => createSentinels(schemas)) as [
  Sentinels,
  Sentinels,
  Sentinels,
];
type Sentinels = ReturnType<typeof createSentinels>;

let own: TestDatabase;
let desk: TestApi;
let registry: Registry;
let temporal: TestTemporal;
let api: ApiProcess;
let worker: ApiProcess;
let clients: TestClient[];
let leadctl: Leadctl;
let folder: string;
let variables: Record<string, string>;
/** What leadctl printed after the persons were erased, and what it exported. */
const printed: string[] = [];

/** An integrator's server that is down at first and whose answers quote the customer; then it is up. */
const hooks = { isUp: false, quotes: staying, bodies: [] as string[] };
const outside = createServer((request, response) => {
  void text(request).then((body) => {
    if (hooks.isUp) hooks.bodies.push(body);
    response.writeHead(hooks.isUp ? 200 : 503);
    response.end(hooks.isUp ? 'ok' : `not now, ${hooks.quotes.word('webhook answer')}`);
  });
});

beforeAll(async () => {
  own = await createTestDatabase();
  desk = await startTestApi({ databaseUrl: own.url });
  clients = [desk.client, await desk.addClient({ name: 'Landing pages', scope: 'leads:all' })];
  await prepareRouting();
  registry = await startRegistry();
  temporal = await openTestTemporal();
  variables = {
    DATABASE_URL: own.url,
    TEMPORAL_ADDRESS: temporal.target.address,
    TEMPORAL_NAMESPACE: temporal.target.namespace,
    LOG_LEVEL: 'trace',
    WEBHOOK_ALLOW_PRIVATE: '1',
    WEBHOOK_RETRY_SECONDS: '3600',
    ...registryVariables(registry),
  };
  leadctl = leadctlFor(await loadCommands(), variables);
  folder = await newFolder();
  const url = `http://127.0.0.1:${await listenOnLoopback(outside)}/hook`;
  for (const { clientId } of clients)
    await leadctl('webhook', 'add', '--client', clientId, '--url', url, '--allow-http');
  api = await startApiProcess(variables);
  worker = await startServiceProcess('worker/worker.ts', variables);
});
afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop()]);
  await desk?.stop();
  await temporal?.connection.close();
  await registry?.stop();
  await own?.drop();
  outside.close();
});

/** A rule of its own claims a distribution type, so that decisions depend on what facts keep of it. */
async function prepareRouting(): Promise<void> {
  const { database } = desk;
  await makeSource(database, 'Website');
  await makeSource(database, 'Portal', true);
  const agents = await makeAgents(database, 3);
  const teamId = await makeTeam(database, agents);
  const poolId = await makePool(database, 'Roadshow Pool');
  await activateRules(database, [
    { name: 'All', target: { kind: 'team', teamId } },
    { name: 'Roadshow', claims: ['Roadshow distribution'], target: { kind: 'pool', poolId } },
  ]);
}

/**
 * A create with a value of its own in every field but those that are of the business and stay: the handle of
 * the automation, the budget, and the names of campaigns, quizzes, questions and options.
 */
function fillLead({ fill }: Sentinels): Record<string, unknown> {
  const body = fill('LeadCreate');
  const quiz = body.quiz as { answers: object[] };
  const ofForm = { questionKey: 'when', questionLabel: 'When?', optionKey: [], optionKeys: [] };
  return {
    ...body,
    advertisingCampaign: undefined,
    integrationRef: 'our-forms',
    budgetMin: '900000',
    budgetMax: '2500000.50',
    adPlatform: {
      ...(body.adPlatform as object),
      adPlatformCampaignId: 'spring',
      adPlatformCampaignName: 'Spring',
    },
    quiz: {
      ...quiz,
      quizKey: 'plans',
      answers: quiz.answers.map((answer) => ({ ...answer, ...ofForm })),
    },
  };
}

async function send(method: string, rest: string, body: object, client = clients[0]) {
  const response = await fetch(`${api.url}/public/${rest}`, {
    method,
    headers: {
      authorization: `Bearer ${client?.token}`,
      'content-type': 'application/json',
      // The search of a large store blocks this process so long that the API closes what is idle.
      connection: 'close',
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { id: string; merged?: boolean };
  expect({ ...answer, status: response.status }).toMatchObject({
    status: method === 'POST' && rest === 'leads' ? 201 : 200,
  });
  return answer;
}

interface TestPerson {
  phone: string;
  email: string;
  leadIds: string[];
}

/** Leads of one person, several through a portal; one of them merged, updated, handed over, asked about. */
async function createPerson(of: Sentinels, leads: number): Promise<TestPerson> {
  const [phone, email] = [of.phone('phone'), of.email('email')];
  const same = { leadPhones: [phone, of.phone('second phone')], leadEmails: [email] };
  const person: TestPerson = { phone, email, leadIds: [] };
  for (let n = 1; n < leads; n += 1) {
    const distributionType = n % 3 === 0 ? { distributionType: 'roadshow' } : {};
    const body = { ...fillLead(of), ...same, source: 'Portal', ...distributionType };
    person.leadIds.push((await send('POST', 'leads', body, clients[n % 2])).id);
  }
  const first = await send('POST', 'leads', { ...fillLead(of), ...same, source: 'Website' });
  person.leadIds.push(first.id);
  const again = await send('POST', 'leads', { ...fillLead(of), ...same }, clients[1]);
  expect(again).toMatchObject({ id: first.id, merged: true });
  await send('PUT', `leads/${first.id}`, { ...of.fill('LeadUpdate'), ...staysOf(of) }, clients[1]);
  await send('POST', 'dncr/check', { phones: [phone] });
  return person;
}

function staysOf(of: Sentinels) {
  const { integrationRef, budgetMin, budgetMax, adPlatform, quiz } = fillLead(of);
  return { integrationRef, budgetMin, budgetMax, adPlatform, quiz, advertisingCampaign: 'Spring' };
}

const count = async (sql: string) => {
  const [row] = await desk.database.query<{ count: number }>(
    `select count(*)::int as count ${sql}`,
  );
  return row?.count ?? -1;
};

/** Everything is routed, signalled and tried once. */
async function becomesIdle(): Promise<void> {
  const isIdle = async () => {
    expect(await count(`from leads where assignment_status = 'pending'`)).toBe(0);
    expect(await count(`from lead_outbox`)).toBe(0);
    expect(await count(`from webhook_deliveries where status = 'pending' and attempts = 0`)).toBe(
      0,
    );
  };
  await waitUntil(isIdle, { what: 'A quiet service', timeoutMs: 240_000 });
}

const written = (of: Sentinels, places: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(places)
      .map(([place, all]) => [place, of.writtenIn(all)] as const)
      .filter(([, fields]) => fields.length > 0),
  );

/** What reports and checks say, which an erasure leaves as it was. */
async function readFigures() {
  const { json: check } = await leadctl('rules', 'check', '--json');
  const since = ['--since', '2020-01-01'];
  const { json } = await leadctl('report', 'response', ...since, '--json');
  const report = { ...json, until: null };
  const volume = await desk.database.query(
    'select * from lead_volume order by source_id, advertising_campaign_id',
  );
  expect(check.differing).toEqual([]);
  expect(check.checked).toBeGreaterThan(LEADS / 2);
  return { checked: check.checked, report, volume };
}

describe('a person who is erased', () => {
  let many: TestPerson;
  let others: TestPerson[];
  let figures: Awaited<ReturnType<typeof readFigures>>;

  test('was in every table that holds persons, and in the planner’s statistics', async () => {
    for (const leads of [LEADS_OF_ONE, 2]) await createPerson(staying, leads);
    await becomesIdle();
    hooks.quotes = erased;
    many = await createPerson(erased, MANY_LEADS);
    others = [];
    for (let n = MANY_LEADS; n < LEADS; n += LEADS_OF_ONE)
      others.push(await createPerson(erased, LEADS_OF_ONE));
    await becomesIdle();
    const [leadId = ''] = many.leadIds;
    for (const times of ['moved', 'there already'])
      await leadctl(
        'lead',
        'pool',
        leadId,
        '--pool=Roadshow Pool',
        `--reason=asked by ${erased.word(`reason, ${times}`)}`,
      );
    await becomesIdle();
    await asAdmin(own.url, 'analyze');
    figures = await readFigures();
    const places = await readWholeDatabase(own.adminUrl);
    expect(Object.keys(written(erased, places)).toSorted()).toEqual([
      'ad_platform_blocks',
      'comments',
      'contact_points',
      'contacts',
      'dncr_answers',
      'dncr_check_numbers',
      'lead_contact_points',
      'leads',
      'operator_texts',
      'pg_stats',
      'quiz_answers',
      'routing_decisions',
      'submissions',
      'webhook_attempts',
    ]);
    expect(erased.count).toBeGreaterThan(60 * LEADS);
  });

  test('was exported whole', async () => {
    const [person] = others as [TestPerson];
    const file = path.join(folder, 'person.json');
    await leadctl('person', 'export', person.email, file);
    const json = await readFile(file, 'utf8');
    const places = await readWholeDatabase(own.adminUrl);
    const bodies = await desk.database.query<{ body: string }>(
      `select body::text from submissions where lead_id = any ($1::uuid[])`,
      [person.leadIds],
    );
    const sent = erased.writtenIn(bodies.map(({ body }) => body).join('\n'));
    expect(sent.length).toBeGreaterThan(60);
    expect(erased.writtenIn(json)).toEqual(expect.arrayContaining(sent));
    expect(staying.writtenIn(json)).toEqual([]);
    expect(staying.writtenIn(Object.values(places).join('\n')).length).toBeGreaterThan(100);
  });

  test('is erased though the command is killed five times', async () => {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const leads = 2 * kill;
      await killWhileErasing(many, leads - 1);
      expect(await count(`from leads where erased_at is not null`)).toBe(leads - 1);
      expect(await proofs()).toEqual([{ leads: leads - 1, isFinished: false }]);
    }
    printed.push((await leadctl('person', 'erase', many.phone, '--yes')).text);
    expect(await proofs()).toEqual([{ leads: MANY_LEADS, isFinished: true }]);
    for (const { phone, leadIds } of others) {
      const { json } = await leadctl('person', 'erase', phone, '--yes', '--json');
      expect(json.erasure).toMatchObject({ leads: leadIds.length, author: 'noor' });
    }
  });

  const proofs = () =>
    desk.database.query(
      `select leads, finished_at is not null as "isFinished" from erasures order by started_at`,
    );

  /** The command waits for a lead that another transaction holds, and is killed there. */
  async function killWhileErasing({ phone, leadIds }: TestPerson, at: number): Promise<void> {
    const holder = new pg.Client({ connectionString: own.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from leads where id = $1 for no key update', [leadIds[at]]);
    const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
    const blocked = `from pg_stat_activity where ${rows[0]?.pid} = any (pg_blocking_pids(pid))`;
    const command = spawn(
      process.execPath,
      ['cli/main.ts', 'person', 'erase', phone, '--yes'],
      // eslint-disable-next-line no-restricted-properties -- as an operator's shell has it
      { env: { ...process.env, SECRETS_KEY: '11'.repeat(32), ...variables } },
    );
    const waits = async () => expect(await count(blocked)).toBe(1);
    await waitUntil(waits, { what: `An erasure at lead ${at + 1}` });
    const ended = new Promise((resolve) => command.once('exit', resolve));
    command.kill('SIGKILL');
    await ended;
    await holder.query('rollback');
    await holder.end();
    const isGone = async () => {
      const [row] = await desk.database.query<{ locks: number }>(
        `select count(*)::int as locks from pg_locks where locktype = 'advisory' and objsubid = 1
           and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(row?.locks).toBe(0);
    };
    await waitUntil(isGone, { what: 'The end of its transaction' });
  }

  test('is no more in a webhook that still waits', async () => {
    const ids = (await leadctl('webhook', 'list', '--json')).json as { endpointId: string }[];
    hooks.isUp = true;
    for (const { endpointId } of ids) {
      await leadctl('webhook', 'disable', endpointId, '--yes', '--reason', 'for the test');
      await leadctl('webhook', 'enable', endpointId);
    }
    const arrived = async () =>
      expect(await count(`from webhook_deliveries where status <> 'delivered'`)).toBe(0);
    await waitUntil(arrived, { what: 'All webhooks', timeoutMs: 240_000 });
    expect(hooks.bodies.length).toBeGreaterThanOrEqual(LEADS);
    expect(erased.writtenIn(hooks.bodies.join('\n'))).toEqual([]);
  });

  test('leaves decisions, reports and the volume of leads as they were', async () => {
    await becomesIdle();
    expect(await readFigures()).toEqual(figures);
  });

  test('is nowhere: no table, no statistic, no run, no log, no export', async () => {
    const ownerUrl = { MIGRATE_DATABASE_URL: own.adminUrl };
    const asOwner = leadctlFor(await loadCommands(), { ...variables, ...ownerUrl });
    const last = await createPerson(inAllForms, 2);
    const { json } = await asOwner('person', 'erase', last.phone, '--yes', '--json');
    expect(json).toMatchObject({ isVacuumed: true });
    await becomesIdle();
    for (const [leadId = ''] of [many, ...others].map(({ leadIds }) => leadIds))
      printed.push((await leadctl('lead', 'show', leadId, '--personal', '--json')).text);
    const dataset = path.join(folder, 'dataset.json');
    await leadctl('export', dataset);
    const places = {
      ...(await readWholeDatabase(own.adminUrl)),
      temporal: (await readWholeTemporal(temporal.client)).join('\n'),
      api: api.log(),
      worker: worker.log(),
      export: await readFile(dataset, 'utf8'),
      leads: printed.slice(1).join('\n'),
    };
    expect(written(erased, places)).toEqual({});
    expect(inAllForms.count).toBeGreaterThan(300);
    for (const all of Object.values(places)) expect(inAllForms.foundIn(all)).toEqual([]);
    expect(Object.keys(written(staying, places))).toContain('submissions');
  });
});
