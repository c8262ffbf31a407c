import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Client } from '@temporalio/client';
import { createMetrics } from './metrics.ts';
import type { Database } from '../store/db/database.ts';
import { pendingMigrations } from '../store/db/migrator.ts';

export interface OperationsContext {
  database: Database;
  temporal: Client;
  /** What else must hold for this process to be ready. */
  isRunning?: () => boolean;
}

const CHECK_MS = 2000;

/** `/healthz`, `/readyz` and `/metrics`, on a port that integrators do not reach. */
export function createOperationsServer(context: OperationsContext): Server {
  const metrics = createMetrics(context.database);
  const answers: Record<string, () => Promise<OperationsAnswer>> = {
    '/healthz': async () => json(200, { status: 'ok' }),
    '/readyz': () => readiness(context),
    '/metrics': async () => ({
      status: 200,
      type: metrics.contentType,
      body: await metrics.text(),
    }),
  };
  return createServer((request, response) => {
    const answer = answers[request.url?.split('?')[0] ?? ''] ?? notFound;
    void answer()
      .catch(() => json(500, { status: 'failed' }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
      });
  });
}

interface OperationsAnswer {
  status: number;
  type: string;
  body: string;
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
      temporal.withDeadline(Date.now() + CHECK_MS, () =>
        temporal.connection.workflowService.getSystemInfo({}),
      ),
    ),
  ]);
  const checks: Record<string, boolean> = {
    database: isDatabaseThere,
    migrations: isMigrated,
    running: isRunning(),
  };
  const isReady = Object.values(checks).every(Boolean);
  return json(isReady ? 200 : 503, { ready: isReady, ...checks, temporal: isTemporalThere });
}

/** A check that does not answer in time does not hold: a probe is not to wait for a database that hangs. */
async function holds(check: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_MS + 500);
  });
  const held = check().then(
    () => true,
    () => false,
  );
  return Promise.race([held, late]).finally(() => clearTimeout(timer));
}

function assertNone(names: readonly string[]): void {
  if (names.length > 0) throw new Error('Migrations are pending.');
}

async function notFound(): Promise<OperationsAnswer> {
  return json(404, { status: 'not found' });
}

function json(status: number, body: object): OperationsAnswer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
}

export function closeOperations(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
