import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { waitUntil } from '../../../dev/wait-until.ts';
import {
  CLAIM_UPDATE,
  leadWorkflowId,
  queues,
  workflowTypes,
} from '../../../workflows/messages.ts';
import type { ClaimOutcome, ClaimRequest } from '../../../workflows/messages.ts';
import type { CallOptions, TestApi } from '../../support/api.ts';
import { makeAgent } from '../../support/routing.ts';
import type { TestAgent } from '../../support/routing.ts';
import { people } from './people.ts';

/** What scenarios do with leads: through the public API, and claims as leadctl sends them. */
export interface Leads {
  /** A lead of a person of its own unless the body names one. Returns its id. */
  create(body?: object, options?: CallOptions): Promise<string>;
  addAgent(): Promise<TestAgent>;
  update(leadId: string, body: object): Promise<void>;
  respond(leadId: string): Promise<void>;
  claim(leadId: string, agentId: string): Promise<ClaimOutcome>;
  /** Waits until the lead is in that state. */
  becomes(leadId: string, status: string): Promise<void>;
  /** Waits until the newest run is over. */
  ends(leadId: string): Promise<void>;
}

export function leadsOf(api: TestApi, temporal: Client): Leads {
  async function send(method: string, path: string, options: CallOptions): Promise<string> {
    const { status, body } = await api.call(method, `/public/leads${path}`, options);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return String(body.id);
  }
  return {
    create: (body, options) => send('POST', '', { ...options, body: { ...newPerson(), ...body } }),
    addAgent: () => makeAgent(api.database, people.agent),
    async update(leadId, body) {
      await send('PUT', `/${leadId}`, { body });
    },
    async respond(leadId) {
      await send('POST', `/${leadId}/response-time`, { body: { seconds: 60 } });
    },
    claim: (leadId, agentId) => claim(temporal, leadId, agentId),
    becomes: (leadId, status) => becomes(api, leadId, status),
    async ends(leadId) {
      const run = temporal.workflow.getHandle(leadWorkflowId(leadId));
      await waitUntil(() => run.result(), { what: 'The end of the run', timeoutMs: 20_000 });
    },
  };
}

let count = 0;

function newPerson(): object {
  count += 1;
  const leadPhones = [`+97150${String(3_000_000 + count)}`];
  return { ...people.customer, leadPhones, leadEmails: [`person${count}@mail.example`] };
}

async function becomes(api: TestApi, leadId: string, wanted: string): Promise<void> {
  await waitUntil(
    async () => {
      const { body } = await api.call('GET', `/public/leads/${leadId}/assignment`);
      if (body.status !== wanted) throw new Error(`it is ${body.status}`);
    },
    { what: `A lead ${wanted}`, timeoutMs: 20_000 },
  );
}

function claim(temporal: Client, leadId: string, agentId: string): Promise<ClaimOutcome> {
  const startWorkflowOperation = new WithStartWorkflowOperation(workflowTypes.leadLifecycle, {
    workflowId: leadWorkflowId(leadId),
    taskQueue: queues.lifecycle,
    args: [{ leadId }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: 'Lead from enquiry to owner',
  });
  const request: ClaimRequest = { agentId, claimId: randomUUID() };
  return temporal.workflow.executeUpdateWithStart(CLAIM_UPDATE, {
    startWorkflowOperation,
    args: [request],
  });
}
