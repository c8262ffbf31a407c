import { defineSearchAttributeKey } from '@temporalio/common';

/**
 * Ids, queues, messages and payload types of the workflows: all that others need to know of them, so
 * that nobody has to load workflow code. Payloads hold ids, never a phone, an e-mail or a name.
 */

export const queues = {
  lifecycle: 'lead-lifecycle',
  webhooks: 'lead-webhooks',
  dncr: 'lead-dncr',
} as const;

export const workflowTypes = {
  leadLifecycle: 'LeadLifecycle',
  dncrCheck: 'DncrCheck',
  housekeeping: 'Housekeeping',
} as const;

export const schedules = { housekeeping: 'housekeeping-daily' } as const;

export const leadWorkflowId = (leadId: string): string => `lead/${leadId}`;
export const dncrCheckWorkflowId = (checkId: string): string => `dncr/${checkId}`;

/** Typed, so that an operator can filter by them; the stack registers them in the namespace. */
export const searchAttributes = {
  leadStatus: defineSearchAttributeKey('LeadStatus', 'KEYWORD'),
  leadSource: defineSearchAttributeKey('LeadSource', 'KEYWORD'),
  funnel: defineSearchAttributeKey('Funnel', 'KEYWORD'),
  agent: defineSearchAttributeKey('Agent', 'KEYWORD'),
  agentId: defineSearchAttributeKey('AgentId', 'KEYWORD'),
  oauthClientId: defineSearchAttributeKey('OAuthClientId', 'KEYWORD'),
  needsReview: defineSearchAttributeKey('NeedsReview', 'BOOL'),
  rulesetVersion: defineSearchAttributeKey('RulesetVersion', 'INT'),
  webhookState: defineSearchAttributeKey('WebhookState', 'KEYWORD'),
  endpointId: defineSearchAttributeKey('WebhookEndpointId', 'KEYWORD'),
  eventType: defineSearchAttributeKey('WebhookEventType', 'KEYWORD'),
} as const;

export interface LeadLifecycleInput {
  leadId: string;
}

/** Something happened to the lead that Postgres knows already; lost or doubled, it does no harm. */
export const LEAD_EVENT_SIGNAL = 'leadEvent';
export const LEAD_EVENTS = [
  'created',
  'rerouted',
  'updated',
  'responded',
  'resolved',
  'resent',
  'endpoint_enabled',
  'recover',
] as const;
export interface LeadEventSignal {
  event: (typeof LEAD_EVENTS)[number];
}

export const CLAIM_UPDATE = 'claimLead';
export interface ClaimRequest {
  agentId: string;
  /** Makes a repeated request the same claim. */
  claimId: string;
}
export type ClaimRefusal =
  'unknown_lead' | 'not_in_pool' | 'held_by_another' | 'unknown_agent' | 'agent_not_active';
export type ClaimOutcome =
  { claimed: true; agentId: string } | { claimed: false; reason: ClaimRefusal; status: LeadStatus };

/** Names the one assignment whose clock ran out, so that a late timer cannot touch another. */
export interface ExpireFollowUpInput {
  leadId: string;
  round: number;
  moves: number;
}

export type LeadStatus = 'pending' | 'assigned' | 'unassigned' | 'pool';

/** A lead as it stands in Postgres: what its workflow acts on and shows. */
export interface LeadSnapshot {
  status: LeadStatus;
  round: number;
  moves: number;
  agentId: string | null;
  agentSlug: string | null;
  poolName: string | null;
  isPersonal: boolean;
  /** Milliseconds since 1970; null when no clock runs. */
  followUpDueAtMs: number | null;
  /** Null once the window is closed. */
  mergeWindowEndsAtMs: number | null;
  isResponded: boolean;
  source: string | null;
  funnel: string;
  oauthClientId: string;
  /** Its public id, or its name where that id is a uuid that nobody knows it by. */
  clientLabel: string;
  needsReview: boolean;
  rulesetVersion: number | null;
  /** Why the lead went where it is, in short lines. */
  story: string[];
  /** Those that have not arrived, in the order of their events. */
  deliveries: DeliverySnapshot[];
}

/** One event to one endpoint. */
export interface DeliverySnapshot {
  eventId: string;
  endpointId: string;
  eventType: string;
  status: 'pending' | 'failed';
  attempts: number;
  /** Counts how often it was made due again; an activity of an earlier generation leaves it alone. */
  generation: number;
  /** Why it failed for good. */
  failureReason: string | null;
}

export interface DeliveryInput {
  eventId: string;
  endpointId: string;
  /** The client that registered the endpoint. */
  oauthClientId: string;
  generation: number;
}

/** The first attempts of events that were ready together, the oldest first. */
export interface SendWebhooksInput {
  endpointId: string;
  oauthClientId: string;
  deliveries: { eventId: string; generation: number }[];
}

export type DeliveryOutcome = 'delivered' | 'retrying' | 'failed' | 'superseded';

export interface DeliveryReport {
  eventId: string;
  outcome: DeliveryOutcome;
  attempts: number;
  /** What the last attempt came to, such as `it answered 200`. */
  detail: string;
}

/** The numbers to ask wait in Postgres under the check's id. */
export interface DncrCheckInput {
  checkId: string;
}

/** What is left to ask after a look into the cache, and how patiently to ask for it. */
export interface DncrPlan {
  remaining: number;
  oauthClientId: string;
  tries: number;
  tryMs: number;
  askMs: number;
}

export interface DncrAsked {
  asked: number;
  transactionId: string | null;
}

/** How many numbers came to each status. */
export type DncrStored = Partial<
  Record<'registered' | 'not_registered' | 'not_found' | 'unavailable', number>
>;
