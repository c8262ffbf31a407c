import { bumpReferenceVersion } from '../../../store/catalogue/reference-version.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { activateRules, makePool } from '../../support/routing.ts';
import { leadThatIs, relayed, WITHOUT_CLOCK, type Scenario } from './lead-scenarios.ts';
import type { LiveService } from './live-service.ts';

/** The second of two leads that waited for one agent until the daily cap was raised, and have ended. */
async function waitForAnAgent(service: LiveService): Promise<string> {
  const { database } = service.api;
  const agent = await service.addAgent({ daily_cap: 1 });
  const then = { kind: 'pool', poolId: await makePool(database) };
  await activateRules(database, [
    {
      target: { kind: 'agent', agentId: agent.id },
      gates: { availability: 'ignore' },
      ...WITHOUT_CLOCK,
      onExhausted: { kind: 'wait', atMostMinutes: 2000, then },
    },
  ]);
  await leadThatIs(service, 'assigned');
  const first = await waitingLead(service);
  const second = await waitingLead(service);
  await database.query('update agents set daily_cap = 3 where id = $1', [agent.id]);
  await bumpReferenceVersion(database);
  for (const leadId of [first, second]) {
    await relayed(service, leadId);
    await service.becomes(leadId, 'assigned');
  }
  for (const leadId of [first, second]) await service.ends(leadId);
  return second;
}

async function waitingLead(service: LiveService): Promise<string> {
  const leadId = await service.create();
  const waits = 'select from lead_waits where lead_id = $1';
  await waitUntil(
    async () => {
      if ((await service.api.database.query(waits, [leadId])).length === 0) throw new Error('none');
    },
    { what: 'The wait' },
  );
  return leadId;
}

export const waitingScenarios: Record<string, Scenario> = {
  'routed-with-another': async (service) => leadWorkflowId(await waitForAnAgent(service)),
};
