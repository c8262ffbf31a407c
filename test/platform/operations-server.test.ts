import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { register } from 'prom-client';
import { connectTemporal, isTemporalReachable } from '../../temporal/connection.ts';
import {
  closeOperations,
  createOperationsServer,
  listen,
} from '../../platform/operations-server.ts';
import { databaseProbes } from '../../store/db/schema-version.ts';
import { migrations } from '../../store/migrations/index.ts';
import { stateGauges } from '../../store/leads/work-states.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { startTestApi } from '../support/api.ts';
import { connectDatabase } from '../../store/db/database.ts';
import { asAdmin } from '../support/database.ts';
import { fromSetup } from '../support/environment.ts';

const servers: Server[] = [];
const TEMPORAL_ADDRESS = fromSetup('TEST_TEMPORAL_ADDRESS');
const api = await startTestApi({ variables: { TEMPORAL_ADDRESS } });
const temporal = await connectTemporal(api.config.temporal);
afterAll(async () => {
  await Promise.all(servers.map(closeOperations));
  await temporal.close();
  await api.stop();
});

async function operations(isRunning = () => true, database = api.database): Promise<string> {
  const server = createOperationsServer({
    required: { ...databaseProbes(database), running: async () => isRunning() },
    reported: { temporal: () => isTemporalReachable(temporal.client) },
    gauges: stateGauges(database),
  });
  servers.push(server);
  await listen(server, 0, '127.0.0.1');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The gauges have a time limit, which a busy machine may exceed. */
async function readMetrics(url: string): Promise<string> {
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain('database_up 1\n');
  return text;
}

/** Each probe has a time limit, which a busy machine may exceed. */
async function readiness(url: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

describe('the operations port', () => {
  test('shows that the process runs, and what it is ready for', async () => {
    const url = await operations();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const isReady = async () =>
      expect((await readiness(url)).body).toEqual({
        ready: true,
        database: true,
        migrations: true,
        running: true,
        temporal: true,
      });
    await waitUntil(isReady, { what: 'The process' });
    expect((await fetch(`${url}/other`)).status).toBe(404);
  });

  test('is not ready while the process stops, nor with a migration missing', async () => {
    const stopping = await fetch(`${await operations(() => false)}/readyz`);
    expect(stopping.status).toBe(503);
    const url = await operations();
    const { url: databaseUrl } = api.config.database;
    const last = `'${migrations.at(-1)?.name}'`;
    await asAdmin(databaseUrl, `delete from mikro_orm_migrations where name = ${last}`);
    const isBehind = async () => {
      const { status, body } = await readiness(url);
      expect([status, body]).toMatchObject([503, { database: true, migrations: false }]);
    };
    await waitUntil(isBehind, { what: 'The missing migration' });
    await asAdmin(
      databaseUrl,
      `insert into mikro_orm_migrations (name, executed_at) values (${last}, now())`,
    );
  });

  test('is not ready while the database is read-only, which the metrics say too', async () => {
    const { url: databaseUrl } = api.config.database;
    const name = new URL(databaseUrl).pathname.slice(1);
    const setting = `alter database ${name} set default_transaction_read_only`;
    await asAdmin(databaseUrl, `${setting} = on`);
    const database = await connectDatabase({
      url: databaseUrl,
      poolSize: 2,
      connectTimeoutMs: 60_000,
    });
    const url = await operations(() => true, database);
    const isReadOnly = async () => {
      const { status, body } = await readiness(url);
      expect([status, body]).toMatchObject([503, { database: false, migrations: true }]);
      const text = await (await fetch(`${url}/metrics`)).text();
      expect(text).toContain('database_up 0\n');
      expect(text).toContain('lead_outbox_rows ');
    };
    await waitUntil(isReadOnly, { what: 'The read-only database' });
    await database.close();
    // The setting is read-only for itself too.
    await asAdmin(databaseUrl, 'set default_transaction_read_only = off', `${setting} = off`);
  });

  test('shows the numbers of requests and of the service, and no personal data', async () => {
    register.resetMetrics(); // other files of this process sent requests too
    const phone = '+971501239999';
    const { body } = await api.call('POST', '/public/leads', {
      body: { leadPhones: [phone], leadEmails: ['layla@shop.example'], leadFirstName: 'Layla' },
    });
    await api.call('GET', `/public/leads/${body.id}/assignment`);
    const url = await operations();
    const text = await waitUntil(() => readMetrics(url), { what: 'Metrics of the database' });
    expect(text).toMatch(
      /http_requests_total\{method="POST",route="\/public\/leads",status="201"\} 1/,
    );
    expect(text).toMatch(/http_request_seconds_count\{method="GET",route="[^"]+assignment"\} 1/);
    for (const line of [
      'database_up 1',
      'leads_last_day{status="pending"} 1',
      'leads_waiting{status="pending"} 1',
      'leads_waiting{status="pool"} 0',
      'lead_outbox_rows 1',
      'webhook_deliveries_pending 0',
    ])
      expect(text).toContain(`${line}\n`);
    expect(text).toMatch(/^lead_outbox_lag_seconds \d/m);
    expect(text).toMatch(/^process_cpu_user_seconds_total /m);
    for (const personal of [phone, 'layla', 'Layla', body.id]) expect(text).not.toContain(personal);
  });
});
