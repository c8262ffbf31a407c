import { startRegistry } from '../../../dev/registry.ts';
import { addSearchAttributes } from '../../../worker/prepare-namespace.ts';
import { dncrCheckWorkflowId } from '../../../workflows/contracts/dncr-check.ts';
import { searchAttributes } from '../../../workflows/contracts/search-attributes.ts';
import { registryVariables } from '../../api/dncr/service.ts';
import { activateRules } from '../../support/routing.ts';
import { openBareTemporal } from '../../support/temporal.ts';
import { ended } from './lead-scenarios.ts';
import { startLiveService, VARIABLES, type LiveService } from './live-service.ts';

const { leadStatus } = searchAttributes;

/** A namespace with one of the search attributes, and a worker that may not add the others. */
export async function startMissingAttributesStage(): Promise<LiveService> {
  const temporal = await openBareTemporal();
  await addSearchAttributes(temporal.client, [leadStatus]);
  const names = Object.values(searchAttributes).map(({ name }) => name);
  const missing = () => names.filter((name) => name !== leadStatus.name);
  const registry = await startRegistry();
  const variables = { ...VARIABLES, ...registryVariables(registry) };
  const service = await startLiveService(variables, { lacking: { temporal, missing } });
  const stop = () => service.stop().finally(registry.stop);
  return { ...service, stop };
}

export const missingAttributesScenarios = {
  async 'search-attributes-missing'(service: LiveService) {
    await activateRules(service.api.database, []);
    return ended(service, await service.create());
  },
  async 'dncr-check-without-attribute'({ api }: LiveService) {
    await api.call('POST', '/public/dncr/check', { body: { phones: ['0501110001'] } });
    const [check] = await api.database.query<{ id: string }>(`select id from dncr_checks`);
    return dncrCheckWorkflowId(check?.id ?? '');
  },
};
