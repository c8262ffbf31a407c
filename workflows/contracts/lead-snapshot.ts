import type { MissingSearchAttributes } from './search-attributes.ts';

export type LeadStatus = 'pending' | 'assigned' | 'unassigned' | 'pool';

/** A lead as it stands in Postgres: what its workflow acts on and shows. */
export interface LeadSnapshot extends MissingSearchAttributes {
  status: LeadStatus;
  round: number;
  moves: number;
  agentId: string | null;
  agentSlug: string | null;
  poolName: string | null;
  isPersonal: boolean;
  /** Milliseconds since 1970; null when no response is waited for. */
  followUpDueAtMs: number | null;
  /** While the lead waits for an agent who can take it: when it is routed again at the latest. */
  waitDueAtMs?: number | null;
  /** When the run routes the lead itself if no worker does. In earlier histories it did so once the lead was due. */
  waitCheckAtMs?: number | null;
  /** Null once the window is closed. */
  mergeWindowEndsAtMs: number | null;
  isResponded: boolean;
  /** Whether an agent who held the lead earlier has responded. */
  isRespondedBefore?: boolean;
  source: string | null;
  funnel: string;
  oauthClientId: string;
  /** The client's public id, or its name if that id is a uuid. */
  clientLabel: string;
  needsReview: boolean;
  rulesetVersion: number | null;
  /** Why the lead went where it is, in short lines. */
  reasons: string[];
  /** Those that have not arrived, in the order of their events. Of thousands 500, the pending ones first. */
  deliveries: DeliverySnapshot[];
}

export interface DeliverySnapshot {
  eventId: string;
  endpointId: string;
  eventType: string;
  /** `held`: it waits until its client is active again. */
  status: 'pending' | 'failed' | 'held';
  attempts: number;
  /** Counts how often the delivery was made due again; an activity of an earlier generation leaves it alone. */
  generation: number;
  /** Null unless the delivery failed and is not retried. */
  failureReason: string | null;
}
