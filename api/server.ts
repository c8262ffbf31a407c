import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { pino } from 'pino';
import { connectTemporal } from '../temporal.ts';
import { configFrom, ConfigurationError } from '../config.ts';
import type { Config } from '../config.ts';
import { createDatabase } from '../store/database.ts';
import { connectOrm } from '../store/orm.ts';
import { createReferenceCache } from '../store/reference/reference-cache.ts';
import { createApp } from './app.ts';
import { createLeadStarter } from './lead-starter.ts';
import { stopGracefully } from '../graceful-stop.ts';
import { createOperationsServer, listen } from '../operations.ts';

/** The API process: the public interface on one port, health and metrics on another. */
async function main(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel, base: { process: 'api' } });
  const database = await createDatabase(await connectOrm(toConnection(config)));
  const temporal = await connectTemporal(config.temporal);
  const leads = createLeadStarter(temporal.client, database, log);
  const reference = await createReferenceCache(database, config.companyName);
  const app = createApp({
    config,
    database,
    reference,
    leads,
    temporal: temporal.client,
    log,
    now: () => new Date(),
    newId: randomUUID,
  });
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 },
    app.callback(),
  );
  server.maxConnections = 10_000;
  const operations = createOperationsServer({ database, temporal: temporal.client });
  await listen(operations, config.opsPort, config.host);
  await listen(server, config.port, config.host);
  log.info({ port: config.port, opsPort: config.opsPort }, 'ready');
  stopGracefully(log, [
    () => closeServer(server),
    () => leads.drain(),
    () => closeServer(operations),
    () => temporal.close(),
    () => database.close(),
  ]);
}

function toConnection({ database }: Config) {
  return { url: database.url, poolSize: database.poolSize };
}

/** Lets requests under way finish; idle connections are closed at once. */
function closeServer(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

try {
  // eslint-disable-next-line no-restricted-properties -- an entry point
  await main(configFrom(process.env));
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
