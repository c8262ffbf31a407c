import '../../support/quiet-temporal.ts';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { dncrWorkerOptions } from '../../../worker/workers.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { startRegistry, type Registry } from '../../../dev/registry.ts';
import { startTestApi, testConfig, type HttpAnswer, type TestApi } from '../../support/api.ts';
import { fromSetup } from '../../support/environment.ts';
import { connectTo, createTestNamespace } from '../../support/temporal.ts';
import { runWorkers } from '../../support/worker.ts';

/** Under these a registry that hangs is given up soon; under the others a slow machine gives up none. */
export const HASTY = { DNCR_TIMEOUT_SECONDS: '0.5' };

export function registryVariables(
  registry: Registry,
  variables: Record<string, string> = {},
): Record<string, string> {
  return {
    DNCR_TOKEN_URL: registry.tokenUrl,
    DNCR_CHECK_URL: registry.checkUrl,
    DNCR_CLIENT_ID: registry.clientId,
    DNCR_CLIENT_SECRET: registry.clientSecret,
    DNCR_TIMEOUT_SECONDS: '60',
    DNCR_TRIES: '2',
    DNCR_CALLS_PER_SECOND: '200',
    ...variables,
  };
}

export function dncrSettings(registry: Registry, variables: Record<string, string> = {}) {
  const settings = testConfig('postgres://none', registryVariables(registry, variables)).dncr;
  if (!settings) throw new Error('The registry is not configured.');
  return settings;
}

export interface CheckOptions {
  api?: TestApi;
  fresh?: boolean;
  query?: string;
}

/** The DNCR check whole: simulated registry, Postgres, Temporal, a worker and the API twice over. */
export async function startDncrService(variables: Record<string, string> = {}) {
  const registry = await startRegistry();
  const { address, namespace } = await createTestNamespace();
  const connection = await connectTo(address);
  const client = new Client({ connection, namespace });
  const settings = { temporal: client, variables: registryVariables(registry, variables) };
  const first = await startTestApi(settings);
  const second = await startTestApi({ ...settings, databaseUrl: first.config.database.url });
  let workerNow: Date | null = null;
  const work = () => startWorker(first, { address, namespace }, () => workerNow ?? new Date());
  let worker = await work();
  const checksOf = async () => (await first.database.query(`select id from dncr_checks`)).length;
  return {
    registry,
    apis: [first, second] as const,
    client,
    /** What the worker takes for now; null for the clock. */
    setWorkerNow: (now: Date | null) => void (workerNow = now),
    check: (phones: unknown, { api = first, fresh, query = '' }: CheckOptions = {}) =>
      api.call('POST', `/public/dncr/check${query}`, {
        body: { phones, ...(fresh === undefined ? {} : { fresh }) },
        client: first.client,
      }),
    /** The answers to requests that have all been opened before the first of them is worked on. */
    async together(requests: readonly (() => Promise<HttpAnswer>)[]) {
      await worker.stop();
      const before = await checksOf();
      const answers = Promise.all(requests.map((request) => request()));
      const opened = async () => {
        const count = (await checksOf()) - before;
        if (count !== requests.length) throw new Error(`${count} checks are open`);
      };
      await waitUntil(opened, { what: 'Every check' });
      worker = await work();
      return answers;
    },
    async stop() {
      await worker.stop();
      await second.stop();
      await first.stop();
      await connection.close();
      await registry.stop();
    },
  };
}

async function startWorker(
  { config, database }: TestApi,
  { address, namespace }: { address: string; namespace: string },
  now: () => Date,
) {
  const options = dncrWorkerOptions({ config, database, now, missingSearchAttributes: () => [] });
  if (!options) throw new Error('The registry is not configured.');
  const connection = await NativeConnection.connect({ address });
  const workflowBundle = { codePath: fromSetup('TEST_WORKFLOWS') };
  const worker = await Worker.create({ connection, namespace, workflowBundle, ...options });
  return runWorkers([worker], connection);
}
