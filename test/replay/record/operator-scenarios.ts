import { randomUUID } from 'node:crypto';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { leadEventSignal, leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { activateRules } from '../../support/routing.ts';
import { intoAPool, toAnAgent, type Scenario } from './lead-scenarios.ts';
import { signalLead } from '../../support/temporal.ts';

const assignedByOperator: Scenario = async (service) => {
  await toAnAgent(service);
  const leadId = await service.create();
  await service.becomes(leadId, 'assigned');
  const other = await service.addAgent();
  await service.handOver(leadId, { kind: 'agent', agentId: other.id });
  await service.respond(leadId);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

/** No clock runs for the agent who has it then. */
const assignedAfterResponse: Scenario = async (service) => {
  await toAnAgent(service);
  const leadId = await service.create();
  await service.becomes(leadId, 'assigned');
  await service.respond(leadId);
  const { id: agentId } = await service.addAgent();
  await service.handOver(leadId, { kind: 'agent', agentId });
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

/** The request starts the run: none was open. */
const reroutedByOperator: Scenario = async (service) => {
  await intoAPool(service);
  const leadId = await service.create();
  await service.ends(leadId);
  await toAnAgent(service);
  await service.handOver(leadId, { kind: 'rules' });
  await service.respond(leadId);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

const claimRefused: Scenario = async (service) => {
  await intoAPool(service);
  const leadId = await service.create();
  await service.becomes(leadId, 'pool');
  const { id: agentId } = await service.addAgent({ active: false });
  await service.claim(leadId, agentId);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

const handOverRefused: Scenario = async (service) => {
  const { agentId } = await toAnAgent(service);
  const leadId = await service.create();
  await service.becomes(leadId, 'assigned');
  await service.handOver(leadId, { kind: 'agent', agentId });
  await service.respond(leadId);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

/** What somebody types into the Web UI: an event that is none, and nothing. */
const signalledByHand: Scenario = async (service) => {
  await activateRules(service.api.database, []);
  const leadId = await service.create();
  await service.becomes(leadId, 'unassigned');
  const run = leadRun(service.temporal, leadId);
  for (const typed of [{ event: 'route again!' }, null])
    await run.signal(leadEventSignal.name, typed);
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

const unknownLead: Scenario = async (service) => {
  const leadId = randomUUID();
  await signalLead(service.temporal, leadId, 'recover');
  await service.ends(leadId);
  return leadWorkflowId(leadId);
};

export const operatorScenarios: Record<string, Scenario> = {
  'assigned-by-an-operator': assignedByOperator,
  'assigned-after-a-response': assignedAfterResponse,
  'rerouted-by-an-operator': reroutedByOperator,
  'claim-refused': claimRefused,
  'hand-over-refused': handOverRefused,
  'signalled-by-hand': signalledByHand,
  'unknown-lead': unknownLead,
};
