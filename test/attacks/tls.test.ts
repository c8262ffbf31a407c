import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import '../support/quiet-temporal.ts';
import { NativeConnection } from '@temporalio/worker';
import { startPostgres, type Postgres } from '../../dev/postgres.ts';
import { parseConfig } from '../../platform/config.ts';
import { formatStartupError, refusalReason } from '../../platform/startup-error.ts';
import { connectDatabase } from '../../store/db/database.ts';
import { migrate } from '../../store/db/migrator.ts';
import { connectTemporal, isTemporalReachable } from '../../temporal/connection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fromSetup } from '../support/environment.ts';
import { newFolder } from '../support/folder.ts';
import { startGrpcProxy, type GrpcProxy, type GrpcProxyOptions } from '../support/grpc-proxy.ts';
import { startServiceProcess } from '../support/process.ts';
import { runProgram } from '../support/program.ts';
import { createTestNamespace, type TestNamespace } from '../support/temporal.ts';
import { createAuthority, type Certificate } from '../support/tls.ts';
import { waitUntil } from '../../dev/wait-until.ts';

type Variables = Record<string, string>;
const SECRETS_KEY = '11'.repeat(32);
const NO_FILE = '/no/such.crt';

const [ours, theirs] = await Promise.all([createAuthority('Ours'), createAuthority('Theirs')]);
const [client, stranger] = await Promise.all([ours.issue('lead-intake'), theirs.issue('stranger')]);

const run = (script: string, variables: Variables, args: readonly string[] = []) =>
  runProgram(process.execPath, [script, ...args], { env: { SECRETS_KEY, ...variables } });

describe('Postgres with TLS', () => {
  let server: Postgres;
  let host: string;
  beforeAll(async () => {
    const dataDir = path.join(newFolder(), 'postgres');
    server = await startPostgres({ dataDir, durable: false });
    host = await turnOnTls(server.superuserUrl, dataDir);
  });
  afterAll(() => server.stop());

  /** `certified` wants a client certificate as well. */
  async function turnOnTls(connectionString: string, dataDir: string): Promise<string> {
    const { certFile, keyFile } = await ours.issue('localhost');
    const admin = new pg.Client({ connectionString });
    await admin.connect();
    await admin.query('create database certified');
    const settings = { ssl_cert_file: certFile, ssl_key_file: keyFile, ssl_ca_file: ours.caFile };
    for (const [name, value] of Object.entries({ ...settings, ssl: 'on' }))
      await admin.query(`alter system set ${name} = '${value}'`);
    const rules = [
      'certified all all scram-sha-256 clientcert=verify-ca',
      'all all all scram-sha-256',
    ];
    const hbaFile = path.join(dataDir, 'pg_hba.conf');
    writeFileSync(hbaFile, rules.map((rule) => `hostssl ${rule}\n`).join(''));
    await admin.query('select pg_reload_conf()');
    await admin.end();
    return 'localhost';
  }

  interface Asked {
    host?: string;
    database?: string;
    at?: string;
    sslmode?: string;
    sslrootcert?: string;
    sslcert?: string;
    sslkey?: string;
  }
  const OURS = (): Asked => ({ sslmode: 'verify-full', sslrootcert: ours.caFile });
  const CERTIFIED = (): Asked => ({ ...OURS(), database: 'certified' });
  const withPair = ({ certFile, keyFile }: Certificate) => ({ sslcert: certFile, sslkey: keyFile });

  function addressOf({ host: at = host, database, at: other, ...parameters }: Asked): string {
    const url = new URL(other ?? server.superuserUrl);
    if (!other) url.hostname = at;
    if (database) url.pathname = `/${database}`;
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  async function startupError(asked: Asked): Promise<string | undefined> {
    return connectDatabase({ url: addressOf(asked), poolSize: 1 }).then(
      (database) => database.close().then(() => undefined),
      (error: unknown) => formatStartupError('It ended.', error),
    );
  }
  const migrationError = (asked: Asked) =>
    migrate(addressOf(asked), addressOf(asked)).then(() => undefined, refusalReason);

  test('takes the right CA and a client certificate', async () => {
    const asked = { ...CERTIFIED(), ...withPair(client) };
    expect(await migrationError(asked)).toBeUndefined();
    expect(await startupError(asked)).toBeUndefined();
  });

  test('every program connects with the right CA', async () => {
    const DATABASE_URL = addressOf(OURS());
    const { address, namespace } = await createTestNamespace();
    const given = { DATABASE_URL, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
    expect(await run('store/db/migrate.ts', given)).toMatchObject({ code: 0 });
    const ended = async (script: 'api/server.ts' | 'worker/worker.ts') =>
      (await startServiceProcess(script, given)).stop();
    const leadctl = run('cli/main.ts', given, ['client', 'list']);
    expect(await Promise.all([ended('api/server.ts'), ended('worker/worker.ts')])).toEqual([0, 0]);
    expect(await leadctl).toMatchObject({ code: 0 });
  });

  const UNKNOWN = 'shows a certificate of an unknown CA: check sslrootcert in DATABASE_URL.';
  const NAME = 'shows a certificate for another name: check the host in DATABASE_URL.';
  const NO_TLS = 'and this process do not agree on TLS: check sslmode in DATABASE_URL.';
  const CLIENT =
    'wants another client certificate, or TLS: check sslmode, sslcert and sslkey in DATABASE_URL.';
  const refused: [string, () => Asked, string][] = [
    ['another CA', () => ({ ...OURS(), sslrootcert: theirs.caFile }), UNKNOWN],
    ['no CA', () => ({ sslmode: 'verify-full' }), UNKNOWN],
    ['another name', () => ({ ...OURS(), host: '127.0.0.1' }), NAME],
    ['no TLS here', () => ({}), NO_TLS],
    ['no TLS there', () => ({ ...OURS(), at: fromSetup('TEST_DATABASE_URL') }), NO_TLS],
    ['no client certificate', CERTIFIED, CLIENT],
    [
      'a client certificate of another CA',
      () => ({ ...CERTIFIED(), ...withPair(stranger) }),
      CLIENT,
    ],
  ];
  test.each(refused)('refuses %s, and the setting is named', async (_, asked, reason) => {
    const text = `The Postgres at DATABASE_URL ${reason}`;
    expect(await startupError(asked())).toBe(`It ended. ${text}`);
    expect(await migrationError(asked())).toBe(text);
  });

  test('every program that is refused names the setting', async () => {
    const given = { DATABASE_URL: addressOf({ ...OURS(), sslrootcert: theirs.caFile }) };
    const text = `The Postgres at DATABASE_URL ${UNKNOWN}`;
    const programs = ['store/db/migrate.ts', 'cli/main.ts', 'api/server.ts', 'worker/worker.ts'];
    const ended = programs.map(async (script) => ({
      script,
      ...(await run(script, given, script === 'cli/main.ts' ? ['client', 'list'] : [])),
    }));
    for (const { script, code, stderr } of await Promise.all(ended))
      expect({ script, code, stderr }).toEqual({
        script,
        code: 1,
        stderr: expect.stringContaining(text),
      });
  });

  test('a file of a CA that is not there is named', async () => {
    expect(await startupError({ ...OURS(), sslrootcert: NO_FILE })).toBe(
      `It ended. ${NO_FILE} cannot be read: ENOENT.`,
    );
  });
});

describe('Temporal with TLS', () => {
  const NAME = 'temporal.internal';
  const API_KEY = 'a-key-of-the-test';
  let database: TestDatabase;
  let target: TestNamespace;
  /** Wants nothing of a client, a client certificate, an API key with a header. */
  let plain: GrpcProxy;
  let mutual: GrpcProxy;
  let keyed: GrpcProxy;
  beforeAll(async () => {
    const { cert, key } = await ours.issue(NAME);
    [database, target] = await Promise.all([createTestDatabase(), createTestNamespace()]);
    const start = (options: object, refuse?: GrpcProxyOptions['refuse']) =>
      startGrpcProxy(target.address, { tls: { cert, key, ...options }, ...(refuse && { refuse }) });
    [plain, mutual, keyed] = await Promise.all([
      start({}),
      start({ ca: ours.ca, requestCert: true }),
      start({}, ({ headers }) => {
        const isRight =
          headers.authorization === `Bearer ${API_KEY}` && headers['x-team'] === 'crm';
        return isRight ? null : 'UNAUTHENTICATED';
      }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([plain.stop(), mutual.stop(), keyed.stop()]);
    await database.drop();
  });

  const given = (variables: Variables): Variables => ({ DATABASE_URL: database.url, ...variables });
  const TLS = (): Variables => ({
    TEMPORAL_ADDRESS: plain.address,
    TEMPORAL_NAMESPACE: target.namespace,
    TEMPORAL_TLS_SERVER_NAME: NAME,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: ours.caFile,
  });
  const MUTUAL = (): Variables => ({ ...TLS(), TEMPORAL_ADDRESS: mutual.address });
  const KEYED = (): Variables => ({
    ...TLS(),
    TEMPORAL_ADDRESS: keyed.address,
    TEMPORAL_API_KEY: API_KEY,
    TEMPORAL_GRPC_META_X_TEAM: 'crm',
  });
  const withPair = ({ certFile, keyFile }: Certificate): Variables => ({
    TEMPORAL_TLS_CLIENT_CERT_PATH: certFile,
    TEMPORAL_TLS_CLIENT_KEY_PATH: keyFile,
  });
  const saveHistories = (variables: Variables) =>
    run('cli/main.ts', variables, ['history', 'save', '--query', `RunId = 'none'`, newFolder()]);

  /** What the API's and leadctl's client says, and the worker's. */
  async function errorsOfClients(variables: Variables) {
    const { temporal } = parseConfig({ SECRETS_KEY, ...given(variables) });
    const { client, close } = await connectTemporal(temporal);
    const typed = await isTemporalReachable(client, 60_000).then(() => undefined, refusalReason);
    await close();
    const native = await NativeConnection.connect(temporal.connectionOptions).then(
      (connection) => connection.close(),
      (error: unknown) => formatStartupError('It ended.', error),
    );
    return { typed, native };
  }

  const atEachServer: [string, () => Variables][] = [
    ['a private CA', TLS],
    ['a client certificate', () => ({ ...MUTUAL(), ...withPair(client) })],
    ['an API key', KEYED],
  ];
  test.each(atEachServer)('every program connects to a server of %s', async (_, variables) => {
    const leadctl = saveHistories(given(variables()));
    const started = async (script: 'api/server.ts' | 'worker/worker.ts') => {
      const running = await startServiceProcess(script, given(variables()));
      const ready = await fetch(`${running.opsUrl}/readyz`);
      expect(await ready.json()).toMatchObject({ ready: true, temporal: true });
      expect(await running.stop()).toBe(0);
    };
    await Promise.all([started('api/server.ts'), started('worker/worker.ts')]);
    expect((await leadctl).stdout).toMatch(/^No run matches the query/);
  });

  const UNKNOWN =
    'shows a certificate of an unknown CA: check TEMPORAL_TLS_SERVER_CA_CERT_PATH (or the profile).';
  const OTHER_NAME =
    'shows a certificate for another name: check TEMPORAL_TLS_SERVER_NAME (or the profile).';
  const NO_TLS = 'and this process do not agree on TLS: check TEMPORAL_TLS (or the profile).';
  const CLIENT =
    'wants another client certificate, or TLS: check TEMPORAL_TLS, TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH (or the profile).';
  const NO_KEY =
    'gives this client no right to the namespace: check TEMPORAL_API_KEY and TEMPORAL_NAMESPACE (or the profile).';
  const refused: [string, () => Variables, string][] = [
    ['another CA', () => ({ ...TLS(), TEMPORAL_TLS_SERVER_CA_CERT_PATH: theirs.caFile }), UNKNOWN],
    ['no CA', () => ({ ...TLS(), TEMPORAL_TLS_SERVER_CA_CERT_PATH: '' }), UNKNOWN],
    ['another name', () => ({ ...TLS(), TEMPORAL_TLS_SERVER_NAME: 'other.internal' }), OTHER_NAME],
    ['no client certificate', MUTUAL, CLIENT],
    ['a client certificate of another CA', () => ({ ...MUTUAL(), ...withPair(stranger) }), CLIENT],
    [
      'no TLS here',
      () => ({ TEMPORAL_ADDRESS: plain.address, TEMPORAL_NAMESPACE: target.namespace }),
      CLIENT,
    ],
    ['no TLS there', () => ({ ...TLS(), TEMPORAL_ADDRESS: target.address }), NO_TLS],
    ['another API key', () => ({ ...KEYED(), TEMPORAL_API_KEY: 'another' }), NO_KEY],
  ];
  test.each(refused)('refuses %s, and the setting is named', async (_, variables, reason) => {
    const text = `Temporal ${reason}`;
    expect(await errorsOfClients(variables())).toEqual({
      typed: text,
      native: `It ended. ${text}`,
    });
  });

  test('every program that is refused names the setting', async () => {
    const wrong = given({ ...TLS(), TEMPORAL_TLS_SERVER_CA_CERT_PATH: theirs.caFile });
    const text = `Temporal ${UNKNOWN}`;
    const [worker, leadctl, api] = await Promise.all([
      run('worker/worker.ts', wrong),
      saveHistories(wrong),
      startServiceProcess('api/server.ts', wrong),
    ]);
    expect(worker).toMatchObject({ code: 1, stderr: `The worker ended. ${text}\n` });
    expect(leadctl).toMatchObject({ code: 1, stderr: expect.stringContaining(text) });
    const logged = async () => expect(api.log()).toContain(text);
    await waitUntil(logged, { what: 'The reason in the log' });
    expect(await api.stop()).toBe(0);
  });
});
