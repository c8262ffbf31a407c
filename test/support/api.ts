import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../api/app.ts';
import { createRequestLimiter } from '../../api/auth/request-limiter.ts';
import { createStrangers } from '../../api/auth/strangers.ts';
import { createBodyRooms } from '../../api/http/body.ts';
import { createHttpServer } from '../../api/http/http-server.ts';
import type { AppContext } from '../../api/context.ts';
import { createGroupCommit } from '../../api/leads/create-lead.ts';
import type { LeadDispatcher } from '../../api/leads/lead-dispatcher.ts';
import { registryPlaces } from '../../api/routes/dncr.ts';
import { newUuid } from '../../platform/new-uuid.ts';
import { listen } from '../../platform/operations-server.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { parseConfig, type Config } from '../../platform/config.ts';
import { hashSecret } from '../../domain/clients/credentials.ts';
import { createTokenAdmission } from '../../store/clients/clients.ts';
import { connectDatabase, type Database } from '../../store/db/database.ts';
import { hashNumber } from '../../domain/dncr/number.ts';
import { createCheckOpener } from '../../store/dncr/checks.ts';
import { createReferenceCache } from '../../store/catalogue/reference.ts';
import { createCatalogue } from '../../store/catalogue/search.ts';
import { adminUrlOf, createTestDatabase } from './database.ts';
import { bundledWorkflows } from './environment.ts';
import { expectDocumented } from './documented.ts';
import { seedReference } from './reference.ts';

/** The configuration of the tests, with overrides by environment variable. */
export function testConfig(databaseUrl: string, variables: Record<string, string> = {}): Config {
  return parseConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '12',
    SECRETS_KEY: '11'.repeat(32),
    WEBHOOK_ALLOW_PRIVATE: '1',
    LOG_LEVEL: 'silent',
    WORKFLOW_BUNDLE: bundledWorkflows() ?? '',
    ...variables,
  });
}

export interface TestClient {
  id: string;
  clientId: string;
  clientSecret: string;
  token: string;
}

/** The body of a token call. */
export const grantOf = ({ clientId, clientSecret }: TestClient) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
});

export interface HttpAnswer {
  status: number;
  headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any shape
  body: any;
}

export type TestApi = Awaited<ReturnType<typeof startTestApi>>;

export interface CallOptions {
  body?: unknown;
  client?: TestClient;
  token?: string | null;
  headers?: Record<string, string>;
}

export interface TestApiOptions {
  variables?: Record<string, string>;
  databaseUrl?: string;
  queryTimeoutMs?: number;
  leads?: (database: Database) => LeadDispatcher;
  temporal?: AppContext['temporal'];
}

/** The API over real HTTP on a database of its own; lead workflows are noted, not started. */
export async function startTestApi(options: TestApiOptions = {}) {
  const own = options.databaseUrl ? null : await createTestDatabase();
  const databaseUrl = options.databaseUrl ?? own?.url ?? '';
  const config = testConfig(databaseUrl, options.variables);
  const queryTimeoutMs = options.queryTimeoutMs ?? 60_000;
  const limits = { queryTimeoutMs, connectTimeoutMs: queryTimeoutMs, startTimeoutMs: 60_000 };
  const connection = { ...config.database, ...limits };
  const database = await connectDatabase({ ...connection, genericPlans: true });
  const catalogue = createCatalogue(await connectDatabase({ ...connection, poolSize: 4 }));
  const signalled: { leadId: string; event: string }[] = [];
  let fixedNow: Date | null = null;
  const lazyTemporal = options.temporal ? null : await connectTemporal(config.temporal);
  const now = () => fixedNow ?? new Date();
  const context: AppContext = {
    config,
    database,
    catalogue,
    reference: await createReferenceCache(catalogue, config.companyName),
    admitToken: createTokenAdmission(database),
    limitRequests: createRequestLimiter({
      maxInFlight: config.maxRequestsPerClient,
      maxWaitMs: 60_000,
    }),
    strangers: createStrangers(),
    bodyRooms: createBodyRooms(),
    createLead: createGroupCommit(database, { lateAfterMs: 120_000 }),
    openDncrCheck: createCheckOpener(database, (phone) => hashNumber(phone, config.secretsKey)),
    limitRegistryCalls: createRequestLimiter({
      places: registryPlaces(config.dncr),
      maxWaitMs: 60_000,
    }),
    leads: options.leads?.(database) ?? {
      signalLead: (leadId, event) => void signalled.push({ leadId, event }),
      waiting: 0,
      drain: () => Promise.resolve(),
    },
    temporal: options.temporal ?? (lazyTemporal as NonNullable<typeof lazyTemporal>).client,
    log: pino({ level: 'silent' }),
    now,
    newId: () => newUuid(new Date()),
  };
  const server = createHttpServer(createApp(context).callback(), {
    log: context.log,
    maxPerAddress: config.maxConnectionsPerAddress,
  });
  await listen(server, 0, '127.0.0.1');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
  const client = await makeClient(database);
  return {
    url,
    server,
    database,
    catalogue,
    config,
    /** Address of the same database with all rights. */
    adminUrl: () => adminUrlOf(databaseUrl),
    client,
    /** What was handed to the lead workflows. */
    signalled,
    addClient: (wanted?: NewTestClient) => makeClient(database, wanted),
    setNow: (now: Date | null) => void (fixedNow = now),
    ...leadCalls(
      (method, path, options) => send(url, method, path, { client, ...options }),
      database,
    ),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await catalogue.close();
      await database.close();
      await lazyTemporal?.close();
      await own?.drop();
    },
  };
}

/** What most tests ask the API for. */
function leadCalls(
  call: (method: string, path: string, options?: CallOptions) => Promise<HttpAnswer>,
  database: Database,
) {
  const post = (body: unknown, options?: CallOptions) =>
    call('POST', '/public/leads', { ...options, body });
  return {
    call,
    post,
    /** POSTs a lead of a person of its own unless the body names one; expects 201. */
    async create(body: object = {}, options?: CallOptions) {
      const isNamed = 'leadPhones' in body || 'leadEmails' in body;
      const answer = await post(isNamed ? body : { leadPhones: [newPhone()], ...body }, options);
      return bodyOf(answer, 201);
    },
    /** PUTs an update; expects 200. */
    async update(leadId: string, body: object, options?: CallOptions) {
      const answer = await call('PUT', `/public/leads/${leadId}`, { ...options, body });
      return bodyOf(answer, 200);
    },
    /** The columns of a lead as the database has them. */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any column
    async lead(leadId: string): Promise<Record<string, any>> {
      return (await database.queryOne(`select * from leads where id = $1`, [leadId])) ?? {};
    },
  };
}

function bodyOf({ status, body }: HttpAnswer, wanted: number): HttpAnswer['body'] {
  if (status !== wanted) throw new Error(`${status} for ${wanted}: ${JSON.stringify(body)}`);
  return body;
}

interface NewTestClient {
  name?: string;
  scope?: string;
  dailyQuota?: number;
}

async function makeClient(
  database: Database,
  { name = 'Shop', scope = '', dailyQuota }: NewTestClient = {},
): Promise<TestClient> {
  const [id, clientId, clientSecret] = [
    randomUUID(),
    `c-${randomUUID()}`,
    randomBytes(32).toString('hex'),
  ];
  await database.query(
    `insert into oauth_clients (id, client_id, name, scope, secret_hash, daily_quota, created_at)
     values (:id, :clientId, :name, :scope, :hash, :dailyQuota, now())`,
    { id, clientId, name, scope, hash: hashSecret(clientSecret), dailyQuota: dailyQuota ?? null },
  );
  const token = randomBytes(32).toString('base64url');
  await database.query(
    `insert into oauth_tokens (token_hash, client_id, created_at, expires_at)
     values ($1, $2, now(), now() + interval '1000 years')`,
    [hashSecret(token), id],
  );
  return { id, clientId, clientSecret, token };
}

async function send(url: string, method: string, path: string, options: CallOptions) {
  const { body, client, token = client?.token } = options;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const { status, headers } = answer;
  const parsed = text ? JSON.parse(text) : null;
  expectDocumented({ method, path, status, headers, body: parsed });
  return { status, headers, body: parsed };
}

/** The same API as of "Our Company", with the reference data of the tests. */
export async function startIntake(options: TestApiOptions = {}): Promise<TestApi> {
  const variables = { COMPANY_NAME: 'Our Company', ...options.variables };
  const api = await startTestApi({ ...options, variables });
  await seedReference(api.database);
  return api;
}

let people = 0;

/** A phone that no other lead of the run has. */
export function newPhone(): string {
  people += 1;
  return `+97150${String(1_000_000 + people)}`;
}

export function newEmail(): string {
  people += 1;
  return `person${people}@mail.example`;
}
