import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Client } from '@temporalio/client';
import { collectDefaultMetrics, register } from 'prom-client';
import type { Database } from './store/database.ts';
import { pendingMigrations } from './store/migrator.ts';

export interface OperationsContext {
  database: Database;
  temporal: Client;
  /** What else must hold for this process to be ready. */
  isRunning?: () => boolean;
}

type Checks = Record<string, boolean>;

/** `/healthz`, `/readyz` and `/metrics`, on a port that integrators do not reach. */
export function createOperationsServer(context: OperationsContext): Server {
  collectDefaultMetrics();
  return createServer((request, response) => {
    void answer(context, request.url ?? '/').then(({ status, type, body }) => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
    });
  });
}

async function answer(context: OperationsContext, url: string) {
  switch (url.split('?')[0]) {
    case '/healthz':
      return json(200, { status: 'ok' });
    case '/readyz':
      return readiness(context);
    case '/metrics':
      return { status: 200, type: register.contentType, body: await register.metrics() };
    default:
      return json(404, { status: 'not found' });
  }
}

/**
 * An API without Temporal still takes enquiries, so only the database and its migrations decide
 * whether it gets traffic; Temporal is reported beside them.
 */
async function readiness({ database, temporal, isRunning = () => true }: OperationsContext) {
  const [isDatabaseThere, isMigrated, isTemporalThere] = await Promise.all([
    holds(() => database.query('select 1')),
    holds(async () => assertNone(await pendingMigrations(database.orm))),
    holds(() =>
      temporal.withDeadline(Date.now() + 2000, () =>
        temporal.connection.workflowService.getSystemInfo({}),
      ),
    ),
  ]);
  const checks: Checks = {
    database: isDatabaseThere,
    migrations: isMigrated,
    running: isRunning(),
  };
  const isReady = Object.values(checks).every(Boolean);
  return json(isReady ? 200 : 503, { ready: isReady, ...checks, temporal: isTemporalThere });
}

async function holds(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}

function assertNone(names: readonly string[]): void {
  if (names.length > 0) throw new Error('Migrations are pending.');
}

function json(status: number, body: object) {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
}
