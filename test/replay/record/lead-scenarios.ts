import { relayOutbox } from '../../../worker/outbox-relay.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { signalLead } from '../../../temporal/lead-lifecycle-client.ts';
import { leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { activateRules, makePool, makeTeam } from '../../support/routing.ts';
import type { Scene } from './scene.ts';

/** Makes something happen and returns the id of the workflow whose newest run is to be kept. */
export type Scenario = (scene: Scene) => Promise<string>;

async function toAnAgent({ api, addAgent }: Scene): Promise<{ agentId: string; email: string }> {
  const { id: agentId, email } = await addAgent();
  await activateRules(api.database, [{ name: 'Everything', target: { kind: 'agent', agentId } }]);
  return { agentId, email };
}

async function intoAPool({ api }: Scene): Promise<void> {
  const poolId = await makePool(api.database);
  await activateRules(api.database, [{ name: 'Weekend', target: { kind: 'pool', poolId } }]);
}

const assigned: Scenario = async (scene) => {
  const { api } = scene;
  const agents = [await scene.addAgent(), await scene.addAgent()];
  const teamId = await makeTeam(
    api.database,
    agents.map((agent) => ({ agent })),
  );
  await activateRules(api.database, [{ name: 'Sales', target: { kind: 'team', teamId } }]);
  const leadId = await scene.create();
  await scene.becomes(leadId, 'assigned');
  await scene.respond(leadId);
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

const poolThenClaimed: Scenario = async (scene) => {
  await intoAPool(scene);
  const leadId = await scene.create();
  await scene.becomes(leadId, 'pool');
  const agent = await scene.addAgent();
  await scene.claim(leadId, agent.id);
  await scene.respond(leadId);
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

/** The claim starts the run: none was open. */
const claimedWithNoRunOpen: Scenario = async (scene) => {
  await intoAPool(scene);
  const leadId = await scene.create();
  await scene.ends(leadId);
  const agent = await scene.addAgent();
  await scene.claim(leadId, agent.id);
  await scene.respond(leadId);
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

const unassignedThenRerouted: Scenario = async (scene) => {
  await activateRules(scene.api.database, []);
  const leadId = await scene.create();
  await scene.becomes(leadId, 'unassigned');
  await toAnAgent(scene);
  await scene.update(leadId, { priority: 'urgent' });
  await scene.becomes(leadId, 'assigned');
  await scene.respond(leadId);
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

const personal: Scenario = async (scene) => {
  const { email } = await toAnAgent(scene);
  const leadId = await scene.create({ assignedBy: email, distributionType: 'personal' });
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

const mergedEnquiry: Scenario = async (scene) => {
  await toAnAgent(scene);
  const leadPhones = ['+971527654321'];
  const leadId = await scene.create({ leadPhones });
  await scene.becomes(leadId, 'assigned');
  const merged = await scene.create({ leadPhones, leadFirstName: 'Again' });
  if (merged !== leadId) throw new Error('The enquiry did not merge.');
  await scene.respond(leadId);
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

/** Two events wait in the outbox; the relay starts the workflow with both. */
const temporalDownAtCreation: Scenario = async (scene) => {
  await toAnAgent(scene);
  scene.setTemporalAway(true);
  const leadId = await scene.create();
  await scene.update(leadId, { priority: 'urgent' });
  scene.setTemporalAway(false);
  await waitUntil(
    async () => {
      const told = await relayOutbox(scene.workers.context, scene.temporal);
      if (told === 0) throw new Error('nothing is due yet');
    },
    { what: 'The relay', everyMs: 100 },
  );
  await scene.becomes(leadId, 'assigned');
  await scene.respond(leadId);
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

/** Nobody told the workflow until its merge window was over: what is due at once starts no timer. */
const windowOverAtTheStart: Scenario = async (scene) => {
  await intoAPool(scene);
  scene.setTemporalAway(true);
  const leadId = await scene.create();
  scene.setTemporalAway(false);
  await waitUntil(() => isWindowOver(scene, leadId), {
    what: 'The end of the merge window',
    everyMs: 200,
  });
  await signalLead(scene.temporal, leadId, 'created');
  await scene.ends(leadId);
  return leadWorkflowId(leadId);
};

async function isWindowOver({ api }: Scene, leadId: string): Promise<void> {
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
};
