import process from 'node:process';
import { connectTemporal, isTemporalReachable } from '../temporal/connection.ts';
import { parseConfig, type Config } from '../platform/config.ts';
import { hashNumber } from '../domain/dncr/number.ts';
import { createTokenAdmission } from '../store/clients/clients.ts';
import { connectDatabase, retryAtStart } from '../store/db/database.ts';
import { checkSchema, databaseProbes } from '../store/db/schema-version.ts';
import { createCheckOpener } from '../store/dncr/checks.ts';
import { stateGauges } from '../store/leads/work-states.ts';
import { createReferenceCache } from '../store/catalogue/reference.ts';
import { createCatalogue } from '../store/catalogue/search.ts';
import { checkSecretsKey } from '../store/webhooks/endpoints.ts';
import { createApp } from './app.ts';
import { createRequestLimiter } from './auth/request-limiter.ts';
import { createStrangers } from './auth/strangers.ts';
import { createBodyRooms } from './http/body.ts';
import { createHttpServer, createServerShutdown } from './http/http-server.ts';
import { createGroupCommit } from './leads/create-lead.ts';
import { createLeadDispatcher } from './leads/lead-dispatcher.ts';
import { registryPlaces } from './routes/dncr.ts';
import { stopGracefully } from '../platform/graceful-shutdown.ts';
import { createLog } from '../platform/log.ts';
import { newUuid } from '../platform/new-uuid.ts';
import { formatStartupError, refusalReason } from '../platform/startup-error.ts';
import { closeOperations, createOperationsServer, listen } from '../platform/operations-server.ts';

/** A longer statement is a 503 with Retry-After. */
const QUERY_TIMEOUT_MS = 10_000;
/** Long enough to learn why a connection fails. */
const FIRST_PING_MS = 10_000;

/** Costly searches leave the other connections and most of Postgres to the leads. */
const CATALOGUE = { poolSize: 4, queryTimeoutMs: 5000 };

async function main(config: Config): Promise<void> {
  const log = createLog('api', config.logLevel);
  const { url, poolSize } = config.database;
  const limits = { poolSize, queryTimeoutMs: QUERY_TIMEOUT_MS, genericPlans: true };
  const database = await connectDatabase({ url, ...limits });
  await retryAtStart(() => checkSchema(database));
  await retryAtStart(() => checkSecretsKey(database, config.secretsKey));
  const catalogue = createCatalogue(await connectDatabase({ url, ...CATALOGUE }));
  const temporal = await connectTemporal(config.temporal);
  const { client } = temporal;
  const now = () => new Date();
  const leads = createLeadDispatcher({ client, database, log, now });
  const reference = await retryAtStart(() => createReferenceCache(catalogue, config.companyName));
  const app = createApp({
    config,
    database,
    catalogue,
    reference,
    leads,
    log,
    now,
    admitToken: createTokenAdmission(database),
    limitRequests: createRequestLimiter({ maxInFlight: config.maxRequestsPerClient }),
    strangers: createStrangers(),
    bodyRooms: createBodyRooms(),
    createLead: createGroupCommit(database),
    openDncrCheck: createCheckOpener(database, (phone) => hashNumber(phone, config.secretsKey)),
    limitRegistryCalls: createRequestLimiter({ places: registryPlaces(config.dncr) }),
    temporal: client,
    newId: () => newUuid(now()),
  });
  const server = createHttpServer(app.callback(), {
    log,
    maxPerAddress: config.maxConnectionsPerAddress,
  });
  const shutdown = createServerShutdown(server);
  const operations = createOperationsServer({
    required: { ...databaseProbes(database), running: async () => !shutdown.isStopping() },
    // Readiness does not depend on Temporal: an API without it still accepts enquiries.
    reported: { temporal: () => isTemporalReachable(client) },
    gauges: stateGauges(database),
  });
  await listen(operations, config.opsPort, config.host);
  await listen(server, config.port, config.host);
  log.info({ port: config.port, opsPort: config.opsPort }, 'ready');
  isTemporalReachable(client, FIRST_PING_MS).catch((error: unknown) =>
    log.warn({ reason: refusalReason(error) }, 'Temporal cannot be reached'),
  );
  stopGracefully(log, [
    () => shutdown.close(config.drainMs),
    () => leads.drain(),
    () => closeOperations(operations),
    () => temporal.close(),
    () => catalogue.close(),
    () => database.close(),
  ]);
}

try {
  // eslint-disable-next-line no-restricted-properties -- an entry point
  await main(parseConfig(process.env));
} catch (error) {
  process.stderr.write(`${formatStartupError('The API could not start.', error)}\n`);
  process.exit(1);
}
