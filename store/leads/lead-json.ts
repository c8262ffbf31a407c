import type { AssignmentState } from '../../domain/assignment/assignment-cause.ts';
import type { AssignmentColumns } from '../../domain/assignment/records.ts';
import type { Columns, ColumnValue } from '../../domain/leads/fields.ts';
import type { buildLeadRow } from '../../domain/leads/new-lead.ts';
import { utcText } from '../db/statement.ts';
import type { JsonRow } from '../tables/index.ts';

type NamedKey<Key> = string extends Key ? never : Key;
type NamedKeys<Row> = keyof { [Key in keyof Row as NamedKey<Key>]: Row[Key] };
type LeadJson = JsonRow<'leads'>;

export type LeadRow = Pick<LeadJson, NamedKeys<ReturnType<typeof buildLeadRow>> & keyof LeadJson> &
  AssignmentColumns &
  Partial<LeadJson> & { [column: string]: ColumnValue | Record<string, unknown> | undefined };

export function payloadOf({ intake_unresolved: _flags, ...columns }: LeadRow): Columns {
  return columns as Columns;
}

export function assignmentStateOf(lead: LeadRow): AssignmentState {
  return {
    status: lead.assignment_status,
    round: lead.round,
    moves: lead.moves,
    poolId: lead.pool_id,
    isPersonal: lead.is_personal,
    isResponded: lead.agent_responded_at !== null,
    isClockRunning: lead.follow_up_due_at !== null,
  };
}

/** JSON numbers would lose the scale of a decimal, and Postgres formats times differently. */
export const LEAD_AS_JSON = `to_jsonb(l) || jsonb_build_object(
  'budget_min', l.budget_min::text,
  'budget_max', l.budget_max::text,
  'submitted_at', ${utcText('l.submitted_at')})`;
