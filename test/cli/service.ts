import { startTestApi, type TestApi } from '../support/api.ts';
import { leadActions } from '../support/lead-actions.ts';
import { createTestDispatcher, openTestTemporal } from '../support/temporal.ts';
import { startTestWorkers, testActivityContext } from '../support/worker.ts';

/** API and workers, which carry out what commands ask for, and how `leadctl` reaches them. */
export async function startCommandService(databaseUrl?: string) {
  const temporal = await openTestTemporal();
  const { client, target } = temporal;
  const leads = (database: TestApi['database']) => createTestDispatcher(client, database);
  const api = await startTestApi({ temporal: client, leads, ...(databaseUrl && { databaseUrl }) });
  const workers = await startTestWorkers(testActivityContext(api.database, api.config), target);
  return {
    api,
    actions: leadActions(api, client),
    temporal,
    variables: {
      DATABASE_URL: api.config.database.url,
      TEMPORAL_ADDRESS: target.address,
      TEMPORAL_NAMESPACE: target.namespace,
    },
    async stop() {
      await workers.stop();
      await api.stop();
      await temporal.connection.close();
    },
  };
}
