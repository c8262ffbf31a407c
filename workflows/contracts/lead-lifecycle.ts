import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { LeadStatus } from './lead-snapshot.ts';
import { taskQueues } from './task-queues.ts';
import { formatList, formatPage } from './web-ui-page.ts';

/** Payloads contain ids, never a phone, an email or a name: histories are stored and read by many. */
export interface LeadLifecycleInput {
  leadId: string;
}

export type LeadLifecycleResult = LeadStatus | 'no such lead';

export const leadWorkflowId = (leadId: string): string => `lead/${leadId}`;

export function leadLifecycleOptions(leadId: string) {
  return {
    workflowId: leadWorkflowId(leadId),
    taskQueue: taskQueues.lifecycle,
    args: [{ leadId }] as [LeadLifecycleInput],
    staticSummary: 'Lead from enquiry to owner',
    staticDetails: formatPage([
      'Where it stands: see Current Details.',
      formatList('More, in a terminal', [
        `holder, clock, timeline, events: \`leadctl lead show ${leadId}\``,
        `every rule and agent of each decision: \`leadctl lead explain ${leadId}\``,
      ]),
    ]),
  };
}

const leadEvents = [
  'created',
  'rerouted',
  'updated',
  'responded',
  'resolved',
  'resent',
  'endpoint_enabled',
  'endpoint_alert',
  'client_activated',
  'routed',
  'recover',
] as const;
export type LeadEvent = (typeof leadEvents)[number];

export interface LeadEventSignal {
  event: LeadEvent;
}
export const leadEventSignal = defineSignal<[LeadEventSignal]>('leadEvent');

/** Accepts events typed into the Web UI or Temporal's CLI. An unknown one still refreshes the lead. */
export function toLeadEvent(signal: Partial<LeadEventSignal> | null | undefined): LeadEvent {
  return leadEvents.find((event) => event === signal?.event) ?? 'recover';
}

export interface ClaimRequest {
  agentId: string;
  /** A retried request is the same claim. */
  claimId: string;
}
export type ClaimRefusal =
  'unknown_lead' | 'not_in_pool' | 'held_by_another' | 'unknown_agent' | 'agent_not_active';
export type ClaimOutcome =
  { claimed: true; agentId: string } | { claimed: false; reason: ClaimRefusal; status: LeadStatus };

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A rejected Update leaves no event in the history. */
function assertUuids<Field extends string>(...fields: readonly Field[]) {
  /* istanbul ignore next -- a validator runs when an Update arrives, never in a replay */
  return (request: Partial<Record<Field, unknown>> | null | undefined): void => {
    for (const field of fields)
      if (!UUID.test(String(request?.[field]))) throw new Error(`${field} is not a uuid.`);
  };
}
export const assertClaimRequest = assertUuids('agentId', 'claimId');
export const claimLeadUpdate = defineUpdate<ClaimOutcome, [ClaimRequest]>('claimLead');

/** Target, reason and operator stay in Postgres, since a reason is free text. */
export interface HandOverRequest {
  /** A request may be about many leads. It moves each of them once. */
  handOverId: string;
}
export type HandOverRefusal =
  | ('unknown_lead' | 'unknown_request' | 'agent_not_active')
  | ('personal' | 'there_already' | 'not_held' | 'changed' | 'responded' | 'no_clock');
export type HandOverOutcome =
  | {
      moved: true;
      to:
        | { kind: 'agent'; agentId: string }
        | { kind: 'pool'; poolId: string }
        | { kind: 'waiting' }
        | { kind: 'nobody' };
    }
  | { moved: false; reason: HandOverRefusal; status: LeadStatus };
export const assertHandOverRequest = assertUuids('handOverId');
export const handOverLeadUpdate = defineUpdate<HandOverOutcome, [HandOverRequest]>('handOverLead');

/** Identifies one assignment, so that a late timer cannot change another. */
export interface ExpireFollowUpInput {
  leadId: string;
  round: number;
  moves: number;
}
