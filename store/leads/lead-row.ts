import { fields } from '../../domain/leads/fields.ts';
import type { ColumnValue } from '../../domain/leads/columns.ts';
import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';

export interface LeadState {
  id: string;
  contact_id: string;
  client_id: string;
  created_at: string;
  updated_at: string;
  stage_id: string | null;
  funnel_id: string;
  location_id: string | null;
  bedrooms: string | null;
  distribution_type: string | null;
  is_portal: boolean;
  is_repeat_lead: boolean;
  repeat_of_lead_id: string | null;
  is_agent_enquiry: boolean;
  agent_enquiry_reason: string | null;
  intake_unresolved: Record<string, unknown> | null;
  merge_window_ends_at: string;
  merge_window_closed_at: string | null;
  assignment_status: LeadStatus;
  owner_id: string | null;
  pool_id: string | null;
  is_personal: boolean;
  round: number;
  moves: number;
  assigned_at: string | null;
  follow_up_due_at: string | null;
  agent_response_seconds: number | null;
  agent_responded_at: string | null;
  event_sequence: number;
}

/**
 * A row of `leads` as JSON: snake-case columns, times as ISO texts, decimals as texts. The payload's
 * columns are those of the field table.
 */
export type LeadRow = LeadState & {
  [column: string]: ColumnValue | LeadState['intake_unresolved'];
};

const stateColumns = [
  'id',
  'contact_id',
  'client_id',
  'created_at',
  'updated_at',
  'stage_id',
  'funnel_id',
  'location_id',
  'bedrooms',
  'distribution_type',
  'is_portal',
  'is_repeat_lead',
  'repeat_of_lead_id',
  'is_agent_enquiry',
  'agent_enquiry_reason',
  'intake_unresolved',
  'merge_window_ends_at',
  'merge_window_closed_at',
  'assignment_status',
  'owner_id',
  'pool_id',
  'is_personal',
  'round',
  'moves',
  'assigned_at',
  'follow_up_due_at',
  'agent_response_seconds',
  'agent_responded_at',
  'event_sequence',
] as const satisfies readonly (keyof LeadState)[];

/** What the ad platform's block makes filterable (adPlatform block, 3). */
const blockColumns = [
  'final_page_name',
  'ad_id',
  'ad_name',
  'adgroup_id',
  'adgroup_name',
  'form_id',
  'ad_form_name',
] as const;

const payloadColumns = fields.flatMap((field) => field.column ?? []);

/** Every column of `leads`, once. */
export const leadColumns: readonly string[] = [
  ...new Set([...stateColumns, ...payloadColumns, ...blockColumns]),
];
