import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { pino } from 'pino';
import { connectTemporal, isTemporalReachable } from '../temporal/connection.ts';
import { parseConfig, type Config } from '../platform/config.ts';
import { createDatabase } from '../store/db/database.ts';
import { databaseProbes } from '../store/db/migrator.ts';
import { connectOrm } from '../store/db/orm.ts';
import { stateGauges } from '../store/leads/work-states.ts';
import { createReferenceCache } from '../store/catalogue/reference-cache.ts';
import { createApp } from './app.ts';
import { createHttpServer, createServerShutdown } from './http/http-server.ts';
import { createGroupCommit } from './leads/group-commit.ts';
import { createLeadDispatcher } from './leads/lead-dispatcher.ts';
import { stopGracefully } from '../platform/graceful-shutdown.ts';
import { formatStartupError } from '../platform/startup-error.ts';
import { closeOperations, createOperationsServer, listen } from '../platform/operations-server.ts';

/** A request whose statement takes longer gets 503 with Retry-After. */
const QUERY_TIMEOUT_MS = 10_000;

/** The API process: the public interface on one port, health and metrics on another. */
async function main(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel, base: { process: 'api' } });
  const database = await createDatabase(await connectOrm(toConnection(config)));
  const temporal = await connectTemporal(config.temporal);
  const { client } = temporal;
  const now = () => new Date();
  const leads = createLeadDispatcher({ client, database, log, now });
  const reference = await createReferenceCache(database, config.companyName);
  const createLead = createGroupCommit(database);
  const dependencies = { config, database, reference, createLead, leads, log, now };
  const app = createApp({ ...dependencies, temporal: client, newId: randomUUID });
  const server = createHttpServer(app.callback());
  const shutdown = createServerShutdown(server);
  const operations = createOperationsServer({
    required: { ...databaseProbes(database), running: async () => !shutdown.isStopping() },
    // An API without Temporal still accepts enquiries, so Temporal does not decide on readiness.
    reported: { temporal: () => isTemporalReachable(client) },
    gauges: stateGauges(database),
  });
  await listen(operations, config.opsPort, config.host);
  await listen(server, config.port, config.host);
  log.info({ port: config.port, opsPort: config.opsPort }, 'ready');
  stopGracefully(log, [
    () => shutdown.close(config.drainMs),
    () => leads.drain(),
    () => closeOperations(operations),
    () => temporal.close(),
    () => database.close(),
  ]);
}

function toConnection({ database }: Config) {
  return { url: database.url, poolSize: database.poolSize, queryTimeoutMs: QUERY_TIMEOUT_MS };
}

try {
  // eslint-disable-next-line no-restricted-properties -- an entry point
  await main(parseConfig(process.env));
} catch (error) {
  process.stderr.write(`${formatStartupError('The API could not start.', error)}\n`);
  process.exit(1);
}
