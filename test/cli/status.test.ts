import { createServer, type RequestListener } from 'node:http';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import type { OperatorError } from '../../cli/operator.ts';
import { statusCommand } from '../../cli/status.ts';
import { webhookCommands } from '../../cli/webhook.ts';
import { commandsOf, findProblems, type Status } from '../../cli/status/problems.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { markIn } from '../../platform/process-mark.ts';
import { stateGauges } from '../../store/leads/work-states.ts';
import { newFolder } from '../support/folder.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { asAdmin } from '../support/database.ts';
import { startApiProcess, startServiceProcess, type ApiProcess } from '../support/process.ts';
import { proxied, type SwitchableProxy } from '../support/switchable-proxy.ts';
import { createTestNamespace } from '../support/temporal.ts';
import { leadctlFor, type Leadctl } from './leadctl.ts';
import { listenOnLoopback } from '../support/listen.ts';

let testApi: TestApi;
let postgres: SwitchableProxy;
let temporal: SwitchableProxy;
let api: ApiProcess;
let worker: ApiProcess;
let variables: Record<string, string>;
let leadctl: Leadctl;
const written: string[] = [];

beforeAll(async () => {
  testApi = await startTestApi();
  const target = await createTestNamespace();
  const [toPostgres, toTemporal] = [
    await proxied(testApi.config.database.url),
    await proxied(`temporal://${target.address}`),
  ];
  postgres = toPostgres.proxy;
  temporal = toTemporal.proxy;
  variables = {
    DATABASE_URL: toPostgres.url,
    TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
    TEMPORAL_NAMESPACE: target.namespace,
  };
  [api, worker] = await Promise.all([startApiProcess(variables), startWorker()]);
  leadctl = connectedLeadctl();
});
afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop()]);
  await Promise.all([postgres?.stop(), temporal?.stop()]);
  await testApi?.stop();
});

const startWorker = () => startServiceProcess('worker/worker.ts', variables);

const connectedLeadctl = () =>
  leadctlFor(
    [statusCommand, webhookCommands],
    { ...variables, API_OPS_URL: api.opsUrl, WORKER_OPS_URL: worker.opsUrl },
    written,
  );

/** What the command writes, the error with which it ends, and how long it takes. */
async function readStatus() {
  const startedAt = performance.now();
  const [ended] = await Promise.allSettled([leadctl('status', '--json')]);
  const error = ended.status === 'rejected' ? (ended.reason as OperatorError) : null;
  return { json: JSON.parse(written.join('')), error, ms: performance.now() - startedAt };
}

type Printed = Awaited<ReturnType<typeof readStatus>>;

interface Problem {
  what: string;
  command: string;
}

/** Waits until it is as it should be: a part needs a moment until it notices, and on a busy machine until it answers. */
const statusUntil = (isExpected: (status: Printed) => void) =>
  waitUntil(async () => isExpected(await readStatus()), { what: 'The status' });

const problemsUntil = (isExpected: (problems: Problem[]) => void) =>
  statusUntil(({ json }) => isExpected(json.problems));

const nothing = () => problemsUntil((problems) => expect(problems).toEqual([]));

test('says of a service that runs that nothing is wrong', async () => {
  await statusUntil(({ json, error }) => {
    expect(error).toBeNull();
    expect(json).toMatchObject({
      api: { ok: true },
      worker: { ok: true, polling: [{ workers: 1, isCurrent: true }] },
      temporal: { ok: true },
      postgres: { ok: true },
      leads: { pending: 0, oldestPendingSeconds: 0, waiting: 0, unassignedToday: 0, pool: 0 },
      outbox: { rows: 0, lagSeconds: 0 },
      webhooks: { failing: 0, oldestPendingSeconds: 0 },
      enquiries: { lastHour: 0, sameHourLastWeek: 0 },
      problems: [],
    });
  });
  const { text } = await waitUntil(() => leadctl('status'), { what: 'The status' });
  expect(text).toMatch(/^API +ok, http:\/\/127\.0\.0\.1:\d+$/m);
  expect(text).toMatch(/^worker +1 worker, no version, last poll \d+s ago$/m);
  expect(text).toMatch(/^Temporal +ok, 127\.0\.0\.1:\d+$/m);
  expect(text).toMatch(/^Postgres +ok, 127\.0\.0\.1:\d+$/m);
  expect(text).toMatch(/^outbox +0 events, oldest 0s$/m);
  expect(text).toMatch(/\n\nNo problems\.\n$/);
});

const LONGEST_MS = 7000;

/** What the status is while a part is away, which it says within seconds. */
async function statusWithout(
  part: SwitchableProxy,
  mode: 'refusing' | 'hanging',
  isExpected: (json: Printed['json']) => void,
): Promise<void> {
  part.turn(mode);
  try {
    await statusUntil(({ json, error, ms }) => {
      isExpected(json);
      expect(error).toMatchObject({ exitCode: 2 });
      expect(ms).toBeLessThan(LONGEST_MS);
    });
  } finally {
    part.turn('open');
  }
}

test.each(['refusing', 'hanging'] as const)(
  'says in seconds that Postgres is away, %s, and what of the rest is known',
  async (mode) => {
    const { username, password } = new URL(variables['DATABASE_URL'] ?? '');
    await statusWithout(postgres, mode, (json) => {
      expect(json).toMatchObject({
        postgres: { ok: false, reason: expect.any(String) },
        api: { ok: false, readiness: { database: false } },
        temporal: { ok: true },
        leads: null,
        outbox: null,
        webhooks: null,
        enquiries: null,
      });
      expect(json.problems).toEqual([
        {
          what: expect.stringMatching(
            /^Postgres at 127\.0\.0\.1:\d+ is unreachable, so enquiries get a 503 and leads wait\.$/,
          ),
          command: expect.stringMatching(/^pg_isready -d postgres:\/\/127\.0\.0\.1:\d+$/),
        },
      ]);
      expect(JSON.stringify(json)).not.toContain(`${username}:${password}`);
    });
    await nothing();
  },
);

test('says that Postgres is read-only, what helps, and what of the rest is known', async () => {
  const { url } = testApi.config.database;
  const setting = `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only`;
  const reconnect = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await asAdmin(url, `${setting} = on`, reconnect);
  try {
    await seeReadOnly();
  } finally {
    await asAdmin(url, 'set default_transaction_read_only = off', `${setting} = off`, reconnect);
  }
  await nothing();
});

async function seeReadOnly(): Promise<void> {
  await statusUntil(({ json, error }) => {
    expect(json.problems).toEqual([
      {
        what: expect.stringMatching(
          /^Postgres at \S+ is read-only, so enquiries get a 503 and leads wait\.$/,
        ),
        command: `psql "$DATABASE_URL" -c 'select pg_is_in_recovery()'`,
      },
    ]);
    expect(error).toMatchObject({ message: '1 problem found.', exitCode: 2 });
    expect(json).toMatchObject({
      postgres: { ok: false, isReadOnly: true },
      outbox: { rows: 0 },
      api: { readiness: { database: false } },
      worker: { readiness: { database: false } },
    });
  });
  const isSaid = async () => {
    await leadctl('status').catch(() => undefined);
    expect(written.join('')).toMatch(/^Postgres +not ready, 127\.0\.0\.1:\d+$/m);
  };
  await waitUntil(isSaid, { what: 'The status as text' });
  const failure = /"loop":"relay",.*the database is read-only: use the primary/g;
  const isLogged = async () => expect(worker.log().match(failure) ?? []).toHaveLength(1);
  await waitUntil(isLogged, { what: 'The log of the relay' });
}

/** Counts how often Postgres answers in turn. */
async function startTurnCounter() {
  const { hostname: host, port } = new URL(testApi.config.database.url);
  let turns = 0;
  let isAsking = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), host);
    client.on('data', () => (isAsking = true)).pipe(upstream);
    upstream.on('data', () => {
      if (isAsking) turns += 1;
      isAsking = false;
    });
    upstream.pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
  });
  const url = new URL(testApi.config.database.url);
  url.host = `127.0.0.1:${await listenOnLoopback(server)}`;
  return { url: url.href, turns: () => turns, stop: () => server.close() };
}

test('asks Postgres all at once, so that one far away answers in time too', async () => {
  const turnsOfStatus = async () => {
    const counter = await startTurnCounter();
    const urls = { ...variables, DATABASE_URL: counter.url };
    await leadctlFor([statusCommand], urls, written)('status', '--json').catch(() => undefined);
    counter.stop();
    expect(JSON.parse(written.join('')).postgres).toMatchObject({ ok: true });
    return counter.turns();
  };
  const turns = await waitUntil(turnsOfStatus, { what: 'The answer of Postgres' });
  expect(turns).toBeLessThan(8); // of which the login takes four
});

test.each(['refusing', 'hanging'] as const)(
  'says in seconds that Temporal is away, %s, and shows what waits',
  async (mode) => {
    await statusWithout(temporal, mode, (json) => {
      expect(json).toMatchObject({
        temporal: { ok: false, reason: expect.any(String) },
        postgres: { ok: true },
        outbox: { rows: 0 },
      });
      expect(json.problems[0]).toEqual({
        what: expect.stringMatching(
          /^Namespace \S+ of Temporal at \S+ is unreachable, so leads wait\.$/,
        ),
        command: `temporal operator namespace describe --address ${variables['TEMPORAL_ADDRESS']} --namespace ${variables['TEMPORAL_NAMESPACE']}`,
      });
    });
    await nothing();
  },
);

test('says that the worker is away, and its version while it runs', async () => {
  await worker.stop('SIGKILL');
  await problemsUntil(([problem, ...others]) => {
    expect(problem?.what).toMatch(/^The worker at http:\S+ is unreachable, so leads wait\.$/);
    expect(problem?.command).toBe('npm run worker');
    expect(others).toEqual([]);
  });
  worker = await startWorker();
  leadctl = connectedLeadctl();
  await nothing();
});

test('says that the API is away', async () => {
  await api.stop('SIGKILL');
  await problemsUntil((problems) =>
    expect(problems).toEqual([
      {
        what: expect.stringMatching(
          /^The API at http:\S+ is unreachable, so enquiries are refused\.$/,
        ),
        command: 'npm run api',
      },
    ]),
  );
  api = await startApiProcess(variables);
  leadctl = connectedLeadctl();
  await nothing();
});

/** What the status says of the API behind a server that answers as the listener does. */
async function apiBehind(listener: RequestListener) {
  const server = createServer(listener);
  const port = await listenOnLoopback(server);
  const urls = { API_OPS_URL: `http://127.0.0.1:${port}`, WORKER_OPS_URL: worker.opsUrl };
  const status = leadctlFor([statusCommand], { ...variables, ...urls }, written);
  try {
    await status('status', '--json').catch(() => undefined);
    return JSON.parse(written.join('')).api;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.each<[string, string, RequestListener]>([
  ['nothing', 'No response within 3 s.', () => undefined],
  [
    'only the beginning of an answer',
    'No response within 3 s.',
    (_, response) => response.writeHead(200).write('{"ready":'),
  ],
  [
    'a page',
    'HTTP 404 without the results of health checks.',
    (_, response) => response.writeHead(404).end('<h1>Not found</h1>'),
  ],
  ['null', 'HTTP 200 without the results of health checks.', (_, response) => response.end('null')],
])('says what comes from the address of the API: %s', async (_, reason, listener) => {
  const isSaid = async () => expect(await apiBehind(listener)).toMatchObject({ ok: false, reason });
  await waitUntil(isSaid, { what: 'The status' });
});

test('says what goes to nobody and which endpoint fails, each with the command that shows why', async () => {
  await testApi.create();
  const { clientId } = await testApi.addClient({});
  const added = ['--client', clientId, '--url', 'https://crm.example/hook'];
  const { endpointId } = (await leadctl('webhook', 'add', ...added, '--json')).json;
  await testApi.database.query('update webhook_endpoints set failing_since = now()');
  await statusUntil(({ json, error }) => {
    expect(json.problems).toEqual([
      {
        what: '1 lead unassigned today.',
        command: expect.stringContaining('leadctl lead list --status unassigned'),
      },
      {
        what: expect.stringMatching(
          /^Webhooks of client Shop to https:\/\/crm\.example\/hook have failed for \d+s\.$/,
        ),
        command: `leadctl webhook show ${endpointId}`,
      },
    ]);
    expect(error).toMatchObject({ message: '2 problems found.', exitCode: 2 });
    expect(json).toMatchObject({
      leads: { unassignedToday: 1 },
      webhooks: { failing: 1, oldestPendingSeconds: expect.any(Number) },
      enquiries: { lastHour: 1, sameHourLastWeek: 0 },
    });
  });
  const deactivate = 'update oauth_clients set active = false where client_id = $1';
  await testApi.database.query(deactivate, [clientId]); // nobody calls its endpoint any more
  await problemsUntil((problems) => expect(problems).toHaveLength(1));
  const gauge = stateGauges(testApi.database).find(
    ({ name }) => name === 'webhook_endpoint_failing_seconds',
  );
  expect(await gauge?.read()).toEqual([]);
});

const stack = {
  folder: '/srv/leads',
  isUp: true,
  hasPostgres: true,
  temporalCli: 'TEMPORAL_ADDRESS=127.0.0.1:7233 /opt/temporal',
  startLine: 'DATA_DIR=/srv/leads PORT=8081 npm start',
};

const answering: Status = {
  at: new Date('2026-03-02T08:00:00Z'),
  api: { ok: true, address: 'http://api:9090', readiness: { ready: true } },
  worker: { ok: true, polling: [], withoutWorker: [] },
  temporal: { ok: true, address: 'temporal:7233', namespace: 'leads' },
  postgres: { ok: true, isReadOnly: false, address: 'postgres:5432' },
  current: null,
  work: null,
};
const away = { ok: false, reason: 'It cannot be reached.' };
const ALONE = commandsOf(null, null);

test('names an API that is not ready though no check of it fails', () => {
  const api = { ...answering.api, ok: false, readiness: { ready: false } };
  const [problem] = findProblems({ ...answering, api }, ALONE);
  expect(problem?.what).toBe('The API at http://api:9090 is not ready. Failed checks: none.');
});

test('restarts a stack of npm start whose Temporal or Postgres is away', () => {
  const { temporal, postgres } = answering;
  const status = {
    ...answering,
    temporal: { ...temporal, ...away },
    postgres: { ...postgres, ...away },
  };
  const commandsWith = (of: typeof stack) =>
    findProblems(status, commandsOf(of, 4711)).map(({ command }) => command);
  expect(commandsWith(stack)).toEqual([
    `kill 4711 && ${stack.startLine}`,
    `kill 4711 && ${stack.startLine}`,
  ]);
  expect(commandsWith({ ...stack, hasPostgres: false })[0]).toBe(
    'pg_isready -d postgres://postgres:5432',
  );
});

describe('of a stack of npm start that was stopped', () => {
  let folder: string;
  const stopped = () => leadctlFor([statusCommand, webhookCommands], { DATA_DIR: folder }, written);
  const problems = async () => {
    await expect(stopped()('status', '--json')).rejects.toMatchObject({ exitCode: 2 });
    return JSON.parse(written.join('')).problems as Problem[];
  };

  beforeEach(async () => {
    folder = path.join(newFolder(), 'brokerage’s data');
    await mkdir(folder);
    const kept = JSON.stringify({ startCommand: 'PORT=8081 npm start' });
    await writeFile(path.join(folder, 'kept.json'), kept);
  });

  test('shows each part as not ok, and the line that starts it', async () => {
    const startLine = `DATA_DIR='${folder}' PORT=8081 npm start`;
    expect(await problems()).toEqual([
      {
        what: `The stack of npm start in ${folder} is stopped, so enquiries are refused and leads wait.`,
        command: startLine,
      },
    ]);
    expect(JSON.parse(written.join(''))).toMatchObject({
      at: expect.any(String),
      api: { ok: false },
      worker: { ok: false },
      temporal: { ok: false },
      postgres: { ok: false },
      leads: null,
      outbox: null,
      webhooks: null,
      enquiries: null,
    });
    await stopped()('status', '--watch').catch(() => undefined);
    expect(written.join('')).toContain(`is stopped, so enquiries are refused and leads wait.\n`);
  });

  test('says that it is starting or stopping while a process holds its folder', async () => {
    const lock = path.join(folder, 'lock');
    await writeFile(lock, markIn(lock, process.pid));
    expect(await problems()).toEqual([
      {
        what: expect.stringContaining(`is starting or stopping as process ${process.pid}, so`),
        command: 'leadctl status',
      },
    ]);
  });

  test('is not taken for the running stack whose folder was copied', async () => {
    await copyFile(path.join(folder, 'kept.json'), path.join(folder, 'stack.json'));
    await writeFile(path.join(folder, 'lock'), markIn(path.join(newFolder(), 'lock'), process.pid));
    expect(await problems()).toMatchObject([{ what: expect.stringContaining('is stopped') }]);
    await expect(stopped()('webhook', 'list')).rejects.toThrow('no running stack was found');
  });
});

describe('workers by version', () => {
  const version = { deploymentName: 'leads', buildId: 'second' };
  const workers = { workers: 2, lastPollAt: answering.at };
  /** New runs start on version leads:first. */
  const first = {
    current: { deploymentName: 'leads', buildId: 'first' } as Status['current'],
    polling: [],
    withoutWorker: [],
  } satisfies Partial<Status['worker'] & Status>;
  type Runs = Pick<Status, 'current'> & Pick<Status['worker'], 'polling' | 'withoutWorker'>;
  const problemsWith = ({ current, ...runs }: Runs, commands = ALONE) =>
    findProblems({ ...answering, current, worker: { ok: true, ...runs } }, commands);

  test('are asked to become current where none of the current version polls', () => {
    const polling = [{ ...workers, version, isCurrent: false }];
    expect(problemsWith({ ...first, polling })).toEqual([
      {
        what: 'No worker of the current version is running, so new leads wait.',
        command:
          'temporal worker deployment set-current-version --address temporal:7233 --namespace leads --deployment-name leads --build-id second',
      },
    ]);
    const current = [...polling, { ...workers, version: null, isCurrent: true }];
    expect(problemsWith({ ...first, current: null, polling: current })).toEqual([]);
  });

  test('without a version are asked to become current by the name of the deployment', () => {
    const polling = [{ ...workers, version: null, isCurrent: false }];
    expect(problemsWith({ ...first, polling })).toEqual([
      {
        what: 'No worker of the current version is running, so new leads wait.',
        command:
          'temporal worker deployment set-current-version --address temporal:7233 --namespace leads --deployment-name leads --unversioned',
      },
    ]);
  });

  test('are missed with the open runs of their version, and altogether', () => {
    const withoutWorker = [{ ...version, openRuns: 3 }];
    expect(problemsWith({ ...first, withoutWorker })).toEqual([
      { what: 'No worker is running, so leads wait.', command: 'npm run worker' },
      {
        what: 'No worker of version leads:second is running for 3 open runs. Start one from its code.',
        command: 'WORKER_DEPLOYMENT=leads npm run worker',
      },
    ]);
  });

  test('come back with the stack of npm start, where they are of one', () => {
    expect(problemsWith(first, commandsOf(stack, null))).toMatchObject([
      { command: stack.startLine },
    ]);
    expect(problemsWith(first, commandsOf(stack, 4711))).toMatchObject([
      { command: `kill 4711 && ${stack.startLine}` },
    ]);
  });
});

test('says of a namespace that Temporal does not have what Temporal answers', async () => {
  const urls = { API_OPS_URL: api.opsUrl, WORKER_OPS_URL: worker.opsUrl };
  const elsewhere = { ...variables, ...urls, TEMPORAL_NAMESPACE: 'elsewhere' };
  const status = leadctlFor([statusCommand], elsewhere, written);
  const isSaid = async () => {
    await expect(status('status', '--json')).rejects.toMatchObject({ exitCode: 2 });
    expect(JSON.parse(written.join(''))).toMatchObject({
      temporal: {
        ok: false,
        reason: expect.stringMatching(/^Temporal answers: Namespace elsewhere/),
      },
      problems: expect.arrayContaining([
        expect.objectContaining({
          what: expect.stringContaining('Namespace elsewhere of Temporal'),
        }),
      ]),
    });
  };
  await waitUntil(isSaid, { what: 'The status' });
});
