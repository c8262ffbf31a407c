import process from 'node:process';
import { createServer } from 'node:http';
import { isTimeZone } from '../../domain/routing/local-time.ts';
import { configurationErrors, parseConfig } from '../../platform/config.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fromSetup } from '../support/environment.ts';
import { listenOnLoopback } from '../support/listen.ts';
import { runProgram } from '../support/program.ts';
import { settingsFrom } from '../../dev/stack/settings.ts';

const COMPLETE = { DATABASE_URL: 'postgres://127.0.0.1/leads', SECRETS_KEY: '11'.repeat(32) };
const PORTS = { HOST: '127.0.0.1', PORT: '0', OPS_PORT: '0', WORKER_OPS_PORT: '0' };
const NO_SECRET = 'do-not-repeat-me';

const AT_FAULT = {
  PORT: 'abc',
  SECRETS_KEY: NO_SECRET,
  COMPANY_TIME_ZONE: 'Mars/Olympus',
  MERGE_WINDOW_HOURS: 'a day',
  WEBHOOK_RETRY_SECONDS: '5,,300',
  DNCR_CHECK_URL: 'https://registry.example/check',
  DNCR_CLIENT_SECRET: NO_SECRET,
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  TEMPORAL_TLS: NO_SECRET,
};

const INVALID = [
  'COMPANY_TIME_ZONE',
  'DATABASE_URL',
  'DNCR_CLIENT_ID',
  'DNCR_TOKEN_URL',
  'MERGE_WINDOW_HOURS',
  'PORT',
  'SECRETS_KEY',
  'TEMPORAL_TLS',
  'WEBHOOK_RETRY_SECONDS',
];

const namesIn = (text: string) => [...text.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);

const startWith = (script: string, env: Record<string, string>) =>
  runProgram(process.execPath, [script], { env });

test.each([
  'Asia/Dubai',
  'utc',
  'Etc/GMT+4',
  'AST',
  '+04:00',
  'US/Pacific-New',
  'SystemV/EST5',
  'Mars/Olympus',
])('COMPANY_TIME_ZONE takes %s where the time zone of an agent does', (timeZone) => {
  const issues = configurationErrors({ ...COMPLETE, COMPANY_TIME_ZONE: timeZone });
  expect(issues.length === 0).toBe(isTimeZone(timeZone));
});

describe('an invalid configuration', () => {
  test.each(['api/server.ts', 'worker/worker.ts'])(
    'ends %s with every invalid variable, and without their values',
    async (script) => {
      const { code, stderr } = await startWith(script, AT_FAULT);
      expect(code).toBe(1);
      expect(namesIn(stderr).toSorted()).toEqual(INVALID);
      expect(stderr).not.toContain(NO_SECRET);
    },
  );

  test('is reported by the embedded stack before it starts anything', async () => {
    const variables = { ...AT_FAULT, DEMO_DATA: 'some', DATABASE_URL: COMPLETE.DATABASE_URL };
    const message = await Promise.resolve(variables).then(settingsFrom).then(String, String);
    const inOurs = INVALID.filter((name) => name !== 'DATABASE_URL');
    expect(namesIn(message).toSorted()).toEqual([...inOurs, 'DEMO_DATA'].toSorted());
    expect(message).not.toContain(NO_SECRET);
  });
});

test('what the embedded stack brings itself need not be set', () => {
  expect(settingsFrom({}).askedPorts[0]).toBe(8080);
});

test.each(['', ',', '5,', 'a', '-1', '5 6', 'Infinity'])(
  'a list of seconds such as "%s" is invalid, or not set at all',
  (text) => {
    const issues = configurationErrors({ ...COMPLETE, WEBHOOK_RETRY_SECONDS: text });
    expect(issues).toHaveLength(text === '' ? 0 : 1);
  },
);

test.each([
  ['PORT', 'abc', 'must be a number'],
  ['MERGE_WINDOW_HOURS', '-1', 'Too small: expected number to be >0'],
  ['DNCR_TOKEN_URL', 'ftp://registry.example', 'must be an http(s) address'],
  ['DNCR_CHECK_URL', 'registry.example/check', 'must be an http(s) address'],
  ['WORKER_DEPLOYMENT', 'leads.v1', 'must have no dot, colon or space, and not begin with "__"'],
  ['WORKER_BUILD_ID', '__1', 'must have no space and not begin with "__"'],
])('%s=%s %s', (name, text, issue) => {
  expect(configurationErrors({ ...COMPLETE, [name]: text })).toContain(`${name}: ${issue}`);
});

test('hours, minutes and seconds may be fractions', () => {
  const config = parseConfig({
    ...COMPLETE,
    MERGE_WINDOW_HOURS: '0.5',
    FOLLOW_UP_MINUTES: '0.1',
    TOKEN_LIFETIME_SECONDS: '1.5',
    WEBHOOK_RETRY_SECONDS: '0.25, 2',
  });
  expect(config.mergeWindowMs).toBe(1_800_000);
  expect(config.followUpMs).toBe(6000);
  expect(config.tokenLifetimeMs).toBe(1500);
  expect(config.webhooks.retryDelaysMs).toEqual([250, 2000]);
});

describe('what keeps a process from starting', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const given = () => ({
    ...COMPLETE,
    ...PORTS,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: fromSetup('TEST_TEMPORAL_ADDRESS'),
  });
  const away = 'postgres://nobody:hush@127.0.0.1:1/none';
  const AWAY = 'The Postgres at DATABASE_URL cannot be reached: ECONNREFUSED.';
  const missing = () => new URL('/no_such_database', database.url).href;
  const MISSING = 'The database of DATABASE_URL does not exist.';

  const api = ['api/server.ts', 'The API could not start.'] as const;
  const worker = ['worker/worker.ts', 'The worker ended.'] as const;
  const issues: [readonly [string, string], string, () => Record<string, string>][] = [
    [api, AWAY, () => ({ DATABASE_URL: away })],
    [worker, AWAY, () => ({ DATABASE_URL: away })],
    [api, MISSING, () => ({ DATABASE_URL: missing() })],
    [worker, MISSING, () => ({ DATABASE_URL: missing() })],
    [
      worker,
      'Temporal cannot be reached: check TEMPORAL_ADDRESS (or the profile).',
      () => ({ TEMPORAL_ADDRESS: '127.0.0.1:1' }),
    ],
    [
      worker,
      'Temporal answers: Namespace no-such-namespace is not found.',
      () => ({ TEMPORAL_NAMESPACE: 'no-such-namespace' }),
    ],
  ];

  test.each(issues)('is reported for %j: %s', async ([script, what], reason, variables) => {
    const { code, stderr } = await startWith(script, { ...given(), ...variables() });
    expect([code, stderr]).toEqual([1, `${what} ${reason}\n`]);
  });

  test('is a port that another has', async () => {
    const other = createServer();
    const port = await listenOnLoopback(other);
    const { code, stderr } = await startWith('api/server.ts', { ...given(), PORT: String(port) });
    other.close();
    expect([code, stderr]).toEqual([
      1,
      `The API could not start. Port ${port} is taken: set PORT, OPS_PORT or WORKER_OPS_PORT, whichever it is, to another one.\n`,
    ]);
  });
});
