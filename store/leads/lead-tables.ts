import type { AssignmentState } from '../../domain/assignment/assignment-event.ts';
import type { Columns, ColumnValue } from '../../domain/leads/fields.ts';
import type { buildLeadRow } from '../../domain/leads/new-lead.ts';
import { insertInto } from '../db/insert-rows.ts';
import { utcText } from '../db/statement.ts';
import { insertRosters } from '../routing/roster-rows.ts';
import { Assignment, RoutingDecision } from '../tables/assignment.ts';
import { Contact, ContactPoint } from '../tables/contacts.ts';
import type { JsonRow } from '../tables/index.ts';
import { Lead, LeadAccess, LeadContactPoint, LeadOutbox } from '../tables/leads.ts';
import {
  AdPlatformBlock,
  Comment,
  QuizAnswer,
  QuizQuestion,
  Submission,
  TimelineNote,
} from '../tables/submissions.ts';
import { WebhookDelivery, WebhookEvent } from '../tables/webhooks.ts';

type NamedKey<Key> = string extends Key ? never : Key;
type NamedKeys<Row> = keyof { [Key in keyof Row as NamedKey<Key>]: Row[Key] };
type LeadJson = JsonRow<'leads'>;

/** The columns of a lead that only a transition of its assignment writes. */
export type AssignmentColumns = Pick<
  LeadJson,
  | 'assignment_status'
  | 'owner_id'
  | 'pool_id'
  | 'round'
  | 'moves'
  | 'assigned_at'
  | 'placed_at'
  | 'placed_by_rule'
  | 'follow_up_due_at'
  | 'event_sequence'
>;

/**
 * A row of `leads` as JSON: times as ISO texts, decimals as texts. By name the columns that every new lead
 * sets; the others as the payload fills them.
 */
export type LeadRow = Pick<LeadJson, NamedKeys<ReturnType<typeof buildLeadRow>> & keyof LeadJson> &
  AssignmentColumns &
  Partial<LeadJson> & { [column: string]: ColumnValue | Record<string, unknown> | undefined };

/** The payload's columns of a row. */
export function payloadOf({ intake_unresolved: _flags, ...columns }: LeadRow): Columns {
  return columns as Columns;
}

/** The inserts of everything that belongs to a lead and is only ever added to. */
export const additions = [
  insertInto(ContactPoint, { onConflict: 'do nothing' }),
  insertInto(LeadAccess, { onConflict: 'do nothing' }),
  insertInto(LeadContactPoint, { onConflict: '(lead_id, kind, value) do nothing' }),
  insertInto(Comment),
  insertInto(TimelineNote),
  insertInto(AdPlatformBlock, { onConflict: 'do nothing' }),
  insertInto(QuizQuestion, {
    onConflict: '(quiz_key, question) do update set options = excluded.options',
  }),
  // JSON's own null comes as SQL's.
  insertInto(QuizAnswer, { expressions: { raw: `coalesce(r.raw, 'null'::json)` } }),
  insertInto(Assignment),
  insertRosters,
  insertInto(RoutingDecision, { omit: ['roster'] }),
  insertInto(WebhookEvent, { returning: '*' }),
  insertInto(WebhookDelivery, {
    columns: ['event_id', 'endpoint_id', 'lead_id', 'created_at'],
    select: `select e.id, p.id, e.lead_id, e.created_at from new_webhook_events e
      cross join lateral (select id from webhook_endpoints
        where client_id = e.client_id and enabled and e.type = any (events) offset 0) p`,
    selectsFrom: 'webhook_events',
  }),
  insertInto(LeadOutbox, { omit: ['attempts'], returning: 'lead_id, id' }),
  // The body is a text within the JSON, so that it is stored as it came.
  insertInto(Submission, { expressions: { body: `(r.body #>> '{}')::json` } }),
];
export const contact = insertInto(Contact, { omit: ['marked_as_agent'] });
export const lead = insertInto(Lead);

export function assignmentStateOf(lead: LeadRow): AssignmentState {
  return {
    status: lead.assignment_status,
    round: lead.round,
    moves: lead.moves,
    isPersonal: lead.is_personal,
    isResponded: lead.agent_responded_at !== null,
    isClockRunning: lead.follow_up_due_at !== null,
  };
}

/** JSON numbers would lose the scale of a decimal, and the form of a time differs from ours. */
export const LEAD_AS_JSON = `to_jsonb(l) || jsonb_build_object(
  'budget_min', l.budget_min::text,
  'budget_max', l.budget_max::text,
  'submitted_at', ${utcText('l.submitted_at')})`;
