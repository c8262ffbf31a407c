import { randomUUID } from 'node:crypto';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { leadEventSignal } from '../../../workflows/contracts/lead-lifecycle.ts';
import { activateRules } from '../../support/routing.ts';
import {
  ended,
  intoAPool,
  leadThatIs,
  responded,
  toAnAgent,
  type Scenario,
} from './lead-scenarios.ts';
import { signalLead } from '../../support/temporal.ts';

export const operatorScenarios: Record<string, Scenario> = {
  async 'assigned-by-an-operator'(service) {
    await toAnAgent(service);
    const leadId = await leadThatIs(service, 'assigned');
    const other = await service.addAgent();
    await service.handOver(leadId, { kind: 'agent', agentId: other.id });
    return responded(service, leadId);
  },
  /** No clock runs for the agent who has it then. */
  async 'assigned-after-a-response'(service) {
    await toAnAgent(service);
    const leadId = await leadThatIs(service, 'assigned');
    await service.respond(leadId);
    const { id: agentId } = await service.addAgent();
    await service.handOver(leadId, { kind: 'agent', agentId });
    return ended(service, leadId);
  },
  /** The request starts the run: none was open. */
  async 'rerouted-by-an-operator'(service) {
    await intoAPool(service);
    const leadId = await service.create();
    await service.ends(leadId);
    await toAnAgent(service);
    await service.handOver(leadId, { kind: 'rules' });
    return responded(service, leadId);
  },
  async 'claim-refused'(service) {
    await intoAPool(service);
    const leadId = await leadThatIs(service, 'pool');
    const { id: agentId } = await service.addAgent({ active: false });
    await service.claim(leadId, agentId);
    return ended(service, leadId);
  },
  async 'hand-over-refused'(service) {
    const { agentId } = await toAnAgent(service);
    const leadId = await leadThatIs(service, 'assigned');
    await service.handOver(leadId, { kind: 'agent', agentId });
    return responded(service, leadId);
  },
  /** What somebody types into the Web UI: an event that is none, and nothing. */
  async 'signalled-by-hand'(service) {
    await activateRules(service.api.database, []);
    const leadId = await leadThatIs(service, 'unassigned');
    const run = leadRun(service.temporal, leadId);
    for (const typed of [{ event: 'route again!' }, null])
      await run.signal(leadEventSignal.name, typed);
    return ended(service, leadId);
  },
  async 'unknown-lead'(service) {
    const leadId = randomUUID();
    await signalLead(service.temporal, leadId, 'recover');
    return ended(service, leadId);
  },
};
