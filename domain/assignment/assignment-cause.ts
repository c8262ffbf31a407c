import type { AgentView, EventData } from '../webhooks/event-payloads.ts';

export type AssignmentStatus = 'pending' | 'assigned' | 'pool' | 'unassigned';
type RequestOwner = 'listing' | 'assigned_by';
export type DecidedBy = RequestOwner | 'rules' | 'follow_up' | 'claim' | 'operator';

export interface AssignmentState {
  status: 'new' | AssignmentStatus;
  round: number;
  moves: number;
  poolId?: string | null;
  isPersonal: boolean;
  isResponded: boolean;
  isClockRunning: boolean;
}

interface ToAgent {
  agent: AgentView;
  /** 0: no response deadline. */
  followUpMs: number;
}

/** Empty if the operator chose; else the explanation of the rules. */
interface ByOperator {
  why: readonly string[];
  isUndo?: boolean;
}

export type MergedEnquiry = Omit<
  EventData['lead.enquired'],
  'leadId' | 'enquiredAt' | 'integrationRef'
>;

export type KeepOwnerReason =
  | { kind: 'note_only' }
  | { kind: 'no_pool' }
  | { kind: 'moves_used_up'; moves: number }
  | { kind: 'nobody_else'; lines: readonly string[] };

export type AssignmentCause =
  | { kind: 'created'; createdBy: string }
  | ({ kind: 'created_with_owner'; createdBy: string; decidedBy: RequestOwner } & ToAgent)
  | ({ kind: 'routed_to_agent'; why: readonly string[] } & ToAgent)
  | { kind: 'routed_to_pool'; why: readonly string[]; poolId: string }
  | { kind: 'left_unassigned'; why: readonly string[] }
  | { kind: 'waiting'; why: readonly string[] }
  | { kind: 'new_details' }
  | { kind: 'follow_up_expired'; why: KeepOwnerReason }
  | ({ kind: 'follow_up_reassigned'; why: readonly string[] } & ToAgent)
  | { kind: 'follow_up_pooled'; poolId: string }
  | ({ kind: 'claimed' } & ToAgent)
  | ({ kind: 'operator_assigned'; movesPersonal: boolean } & ByOperator & ToAgent)
  | ({ kind: 'operator_pooled'; poolId: string } & ByOperator)
  | ({ kind: 'operator_unassigned' } & ByOperator)
  | ({ kind: 'operator_waiting' } & ByOperator)
  | { kind: 'enquired'; enquiry: MergedEnquiry }
  | { kind: 'responded'; recordedBy: string; seconds: number; holder: AgentView | null };
