import type { MissingSearchAttributes } from './search-attributes.ts';

export type LeadStatus = 'pending' | 'assigned' | 'unassigned' | 'pool';

export interface LeadSnapshot extends MissingSearchAttributes {
  status: LeadStatus;
  round: number;
  moves: number;
  agentId: string | null;
  agentSlug: string | null;
  poolName: string | null;
  isPersonal: boolean;
  /** Milliseconds since 1970. Null without an active response deadline. */
  followUpDueAtMs: number | null;
  /** When a queued lead is routed again at the latest. */
  waitDueAtMs?: number | null;
  /** The run routes the lead itself if no worker does. In earlier histories it did so once the lead was due. */
  waitCheckAtMs?: number | null;
  mergeWindowEndsAtMs: number | null;
  isResponded: boolean;
  /** An earlier owner has responded. */
  isRespondedBefore?: boolean;
  source: string | null;
  funnel: string;
  oauthClientId: string;
  /** The client's public id, or its name if that id is a uuid. */
  clientLabel: string;
  needsReview: boolean;
  rulesetVersion: number | null;
  reasons: string[];
  /** Those that have not arrived, in the order of their events. At most 500, pending ones first. */
  deliveries: DeliverySnapshot[];
}

export interface DeliverySnapshot {
  eventId: string;
  endpointId: string;
  eventType: string;
  status: 'pending' | 'failed' | 'held';
  attempts: number;
  /** An activity of an earlier generation changes nothing. */
  generation: number;
  failureReason: string | null;
}
