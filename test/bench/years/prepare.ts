import { randomBytes } from 'node:crypto';
import { SEAL_IV_BYTES, sealSecret } from '../../../domain/webhooks/secret.ts';
import { insertEndpoint } from '../../../store/webhooks/endpoints.ts';
import type { TestApi } from '../../support/api.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';
import { fillYears, type YearsFill } from './fill.ts';
import { withEntityManager } from '../../support/database.ts';

const AGENTS = 20;

/** Agents, a pool, a rule, an endpoint of the client and one lead that was routed; then those of years. */
export async function prepareYears(api: TestApi, superuserUrl: string, fill: YearsFill) {
  const { database, config, client } = api;
  const agents = [];
  for (let n = 0; n < AGENTS; n += 1)
    agents.push(
      await makeAgent(database, { email: `agent${n}@agency.example`, open_cap: 1_000_000 }),
    );
  await makePool(database);
  const teamId = await makeTeam(database, agents);
  await activateRules(database, [{ target: { kind: 'team', teamId } }]);
  const endpoint = {
    id: ENDPOINT_ID,
    clientId: client.clientId,
    url: 'https://shop.example/hooks',
    events: ['lead.created', 'lead.assigned'],
    allowHttp: false,
    secretSealed: sealSecret('whsec_years', config.secretsKey, randomBytes(SEAL_IV_BYTES)),
  };
  await withEntityManager(api, (em) => insertEndpoint(em, endpoint, new Date()));
  const { id: leadId } = await api.create({ leadPhones: ['+971509999999'], leadFirstName: 'Sara' });
  await leadActivities({ database, config }).routeLead({ leadId });
  await fillYears(superuserUrl, fill);
  return { agents, endpointId: ENDPOINT_ID, leadId };
}

const ENDPOINT_ID = '00000000-0000-4000-8000-000000000001';
