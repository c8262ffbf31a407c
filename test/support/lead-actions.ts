import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { sendClaim } from '../../cli/lead/claim.ts';
import { sendHandOver } from '../../cli/lead/hand-over-request.ts';
import type { Operator } from '../../cli/operator.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import type { HandOver } from '../../domain/assignment/hand-over.ts';
import { insertHandOver } from '../../store/assignment/hand-overs.ts';
import type { CallOptions, TestApi } from './api.ts';
import { handOverRequest } from './hand-over.ts';
import { people } from './people.ts';
import { makeAgent } from './routing.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';

/** Longer than an operator waits, since a concurrent workload can keep a small machine busy for longer. */
const CLAIM_DEADLINE_MS = 600_000;

export type LeadActions = ReturnType<typeof leadActions>;

/** What is done to leads: through the public API, and claims as leadctl sends them. */
export function leadActions(api: TestApi, temporal: Client) {
  async function send(method: string, path: string, options: CallOptions) {
    const { status, body } = await api.call(method, `/public/leads${path}`, options);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
  const enquire = (body?: object, options?: CallOptions) =>
    send('POST', '', { ...options, body: { ...newPerson(), ...body } });
  const connected: Partial<Operator> = {
    temporal: () => Promise.resolve(temporal),
    database: () => Promise.resolve(api.database),
    config: api.config,
  };
  const operator = connected as Operator;
  return {
    addAgent: (over?: object) => makeAgent(api.database, { ...people.agent, ...over }),
    /** A lead of a person of its own unless the body names one. Returns the answer's body. */
    enquire,
    /** The same; returns the lead's id. */
    create: async (body?: object, options?: CallOptions) =>
      String((await enquire(body, options)).id),
    update: (leadId: string, body: object) => send('PUT', `/${leadId}`, { body }),
    async respond(leadId: string, options?: CallOptions) {
      await send('POST', `/${leadId}/response-time`, { ...options, body: { seconds: 60 } });
    },
    claim: (leadId: string, agentId: string) =>
      sendClaim(operator, leadId, { agentId, claimId: randomUUID() }, CLAIM_DEADLINE_MS),
    /** A request of the operator's for one lead. */
    async handOver(leadId: string, target: HandOver['target'], over?: Partial<HandOver>) {
      const request = handOverRequest(target, { reason: 'by the test', leadId, ...over });
      await insertHandOver(api.database, request);
      return sendHandOver(operator, leadId, request.id, CLAIM_DEADLINE_MS);
    },
    /** Waits until the lead is in that state. */
    becomes: (leadId: string, status: string, timeoutMs?: number) =>
      becomes(api, leadId, status, timeoutMs),
    /** Waits until the newest run is over. */
    async ends(leadId: string) {
      const run = leadRun(temporal, leadId);
      await waitUntil(() => run.result(), { what: 'The end of the run' });
    },
  };
}

let count = 0;

function newPerson(): object {
  count += 1;
  const leadPhones = [`+97150${String(3_000_000 + count)}`];
  return { ...people.customer, leadPhones, leadEmails: [`person${count}@mail.example`] };
}

async function becomes(api: TestApi, leadId: string, wanted: string, timeoutMs = 180_000) {
  await waitUntil(
    async () => {
      const { body } = await api.call('GET', `/public/leads/${leadId}/assignment`);
      if (body.status !== wanted) throw new Error(`it is ${body.status}`);
    },
    { what: `A lead ${wanted}`, timeoutMs },
  );
}
