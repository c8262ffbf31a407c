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

/** A new lead that has become so. */
export async function leadThatIs(service: LiveService, status: string): Promise<string> {
  const leadId = await service.create();
  await service.becomes(leadId, status);
  return leadId;
}

/** The workflow of a lead whose run has ended. */
export async function ended({ ends }: Pick<LiveService, 'ends'>, leadId: string): Promise<string> {
  await ends(leadId);
  return leadWorkflowId(leadId);
}

/** The same of a lead whose agent responds. */
export async function responded(service: LiveService, leadId: string): Promise<string> {
  await service.respond(leadId);
  return ended(service, leadId);
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

async function isWindowOver({ api }: LiveService, leadId: string): Promise<void> {
  const over = await api.database.query(
    `select id from leads where id = $1 and merge_window_ends_at <= $2`,
    [leadId, new Date()],
  );
  if (over.length === 0) throw new Error('it is open');
}

export const leadScenarios: Record<string, Scenario> = {
  async assigned(service) {
    const { api } = service;
    const agents = [await service.addAgent(), await service.addAgent()];
    const teamId = await makeTeam(api.database, agents);
    await activateRules(api.database, [{ name: 'Sales', target: { kind: 'team', teamId } }]);
    const leadId = await leadThatIs(service, 'assigned');
    return responded(service, leadId);
  },
  async 'pool-then-claimed'(service) {
    await intoAPool(service);
    const leadId = await leadThatIs(service, 'pool');
    const agent = await service.addAgent();
    await service.claim(leadId, agent.id);
    return responded(service, leadId);
  },
  /** The claim starts the run: none was open. */
  async 'claimed-with-no-run-open'(service) {
    await intoAPool(service);
    const leadId = await service.create();
    await service.ends(leadId);
    const agent = await service.addAgent();
    await service.claim(leadId, agent.id);
    return responded(service, leadId);
  },
  async 'unassigned-then-rerouted'(service) {
    await activateRules(service.api.database, []);
    const leadId = await leadThatIs(service, 'unassigned');
    await toAnAgent(service);
    await service.update(leadId, { priority: 'urgent' });
    await service.becomes(leadId, 'assigned');
    return responded(service, leadId);
  },
  async personal(service) {
    const { email } = await toAnAgent(service);
    const leadId = await service.create({ assignedBy: email, distributionType: 'personal' });
    return ended(service, leadId);
  },
  async 'merged-enquiry'(service) {
    await toAnAgent(service);
    const leadPhones = ['+971527654321'];
    const leadId = await service.create({ leadPhones });
    await service.becomes(leadId, 'assigned');
    const merged = await service.create({ leadPhones, leadFirstName: 'Again' });
    if (merged !== leadId) throw new Error('The enquiry did not merge.');
    return responded(service, leadId);
  },
  /** Two events wait in the outbox; the relay starts the workflow with both. */
  async 'temporal-down-at-creation'(service) {
    await toAnAgent(service);
    service.setTemporalAway(true);
    const leadId = await service.create();
    await service.update(leadId, { priority: 'urgent' });
    service.setTemporalAway(false);
    await relayed(service, leadId);
    await service.becomes(leadId, 'assigned');
    return responded(service, leadId);
  },
  /** The workflow is signalled after the merge window: a timer that is due at once is not started. */
  async 'window-over-at-the-start'(service) {
    await intoAPool(service);
    service.setTemporalAway(true);
    const leadId = await service.create();
    service.setTemporalAway(false);
    await waitUntil(() => isWindowOver(service, leadId), {
      what: 'The end of the merge window',
      everyMs: 200,
    });
    await signalLead(service.temporal, leadId, 'created');
    return ended(service, leadId);
  },
  /** No list has the source that the enquiry names. */
  async 'needs-review'(service) {
    await activateRules(service.api.database, []);
    const leadId = await service.create({ source: 'Radio' });
    return ended(service, leadId);
  },
};
