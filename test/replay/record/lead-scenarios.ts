import { createBulkRelay, relayOutbox } from '../../../worker/outbox-relay.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { activateRules, makePool, makeTeam } from '../../support/routing.ts';
import type { LiveService } from './live-service.ts';
import type { RunToSave } from './stage.ts';
import { signalLead } from '../../support/temporal.ts';

/** Makes something happen and returns the run that is to be saved. */
export type Scenario = (service: LiveService) => Promise<RunToSave>;

/** Nobody waits for a response. */
export const WITHOUT_CLOCK = { followUp: { minutes: 0 } };

export async function toAnAgent(
  { api, addAgent }: LiveService,
  terms: object = {},
): Promise<{ agentId: string; email: string }> {
  const { id: agentId, email } = await addAgent();
  const rule = { name: 'Everything', target: { kind: 'agent', agentId }, ...terms };
  await activateRules(api.database, [rule]);
  return { agentId, email };
}

export async function intoAPool({ api }: LiveService): Promise<void> {
  const poolId = await makePool(api.database);
  await activateRules(api.database, [{ name: 'Weekend', target: { kind: 'pool', poolId } }]);
}

/** Signals what waits in the outbox for a lead. */
export async function relayed(
  { api, workers, temporal }: LiveService,
  leadId: string,
): Promise<void> {
  const outbox = 'select from lead_outbox where lead_id = $1';
  await waitUntil(
    async () => {
      await relayOutbox(workers.context, temporal);
      await createBulkRelay(workers.context, temporal)();
      if ((await api.database.query(outbox, [leadId])).length > 0) throw new Error('not yet');
    },
    { what: 'The relay', everyMs: 100 },
  );
}

const assigned: Scenario = async (service) => {
  const { api } = service;
  const agents = [await service.addAgent(), await service.addAgent()];
  const teamId = await makeTeam(api.database, agents);
  await activateRules(api.database, [{ name: 'Sales', target: { kind: 'team', teamId } }]);
  const leadId = await service.create();
  await service.becomes(leadId, 'assigned');
  await service.respond(leadId);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

const poolThenClaimed: Scenario = async (service) => {
  await intoAPool(service);
  const leadId = await service.create();
  await service.becomes(leadId, 'pool');
  const agent = await service.addAgent();
  await service.claim(leadId, agent.id);
  await service.respond(leadId);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

/** The claim starts the run: none was open. */
const claimedWithNoRunOpen: Scenario = async (service) => {
  await intoAPool(service);
  const leadId = await service.create();
  await service.ends(leadId);
  const agent = await service.addAgent();
  await service.claim(leadId, agent.id);
  await service.respond(leadId);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

const unassignedThenRerouted: Scenario = async (service) => {
  await activateRules(service.api.database, []);
  const leadId = await service.create();
  await service.becomes(leadId, 'unassigned');
  await toAnAgent(service);
  await service.update(leadId, { priority: 'urgent' });
  await service.becomes(leadId, 'assigned');
  await service.respond(leadId);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

const personal: Scenario = async (service) => {
  const { email } = await toAnAgent(service);
  const leadId = await service.create({ assignedBy: email, distributionType: 'personal' });
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

const mergedEnquiry: Scenario = async (service) => {
  await toAnAgent(service);
  const leadPhones = ['+971527654321'];
  const leadId = await service.create({ leadPhones });
  await service.becomes(leadId, 'assigned');
  const merged = await service.create({ leadPhones, leadFirstName: 'Again' });
  if (merged !== leadId) throw new Error('The enquiry did not merge.');
  await service.respond(leadId);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

/** Two events wait in the outbox; the relay starts the workflow with both. */
const temporalDownAtCreation: Scenario = async (service) => {
  await toAnAgent(service);
  service.setTemporalAway(true);
  const leadId = await service.create();
  await service.update(leadId, { priority: 'urgent' });
  service.setTemporalAway(false);
  await relayed(service, leadId);
  await service.becomes(leadId, 'assigned');
  await service.respond(leadId);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

/** The workflow is signalled after the merge window: a timer that is due at once is not started. */
const windowOverAtTheStart: Scenario = async (service) => {
  await intoAPool(service);
  service.setTemporalAway(true);
  const leadId = await service.create();
  service.setTemporalAway(false);
  await waitUntil(() => isWindowOver(service, leadId), {
    what: 'The end of the merge window',
    everyMs: 200,
  });
  await signalLead(service.temporal, leadId, 'created');
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

/** No list has the source that the enquiry names. */
const needsReview: Scenario = async (service) => {
  await activateRules(service.api.database, []);
  const leadId = await service.create({ source: 'Radio' });
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

async function isWindowOver({ api }: LiveService, leadId: string): Promise<void> {
  const over = await api.database.query(
    `select id from leads where id = $1 and merge_window_ends_at <= $2`,
    [leadId, new Date()],
  );
  if (over.length === 0) throw new Error('it is open');
}

export const leadScenarios: Record<string, Scenario> = {
  assigned,
  'pool-then-claimed': poolThenClaimed,
  'claimed-with-no-run-open': claimedWithNoRunOpen,
  'unassigned-then-rerouted': unassignedThenRerouted,
  personal,
  'merged-enquiry': mergedEnquiry,
  'temporal-down-at-creation': temporalDownAtCreation,
  'window-over-at-the-start': windowOverAtTheStart,
  'needs-review': needsReview,
};
