import type { RowsByTable, TableInsert } from '../db/insert-rows.ts';
import { leadColumns } from './lead-row.ts';

/** Everything that hangs on a lead and is only ever added to. */
export type LeadTable =
  | 'lead_access'
  | 'lead_contact_points'
  | 'contact_points'
  | 'comments'
  | 'timeline_notes'
  | 'ad_platform_blocks'
  | 'quiz_questions'
  | 'quiz_answers'
  | 'assignments'
  | 'routing_decisions'
  | 'webhook_events'
  | 'lead_outbox';
export type LeadRows = RowsByTable<LeadTable | 'contacts' | 'leads'>;

export const additions: readonly TableInsert[] = [
  { table: 'contact_points', columns: ['kind', 'value', 'contact_id'], onConflict: 'do nothing' },
  { table: 'lead_access', columns: ['lead_id', 'client_id'], onConflict: 'do nothing' },
  {
    table: 'lead_contact_points',
    columns: ['lead_id', 'kind', 'value', 'founding', 'mergeable'],
    onConflict: '(lead_id, kind, value) do nothing',
  },
  {
    table: 'comments',
    columns: [
      'id',
      'lead_id',
      'submission_id',
      'position',
      'occurred_at',
      'text',
      'author',
      'channel',
      'direction',
      'external_id',
    ],
  },
  {
    table: 'timeline_notes',
    columns: ['id', 'lead_id', 'at', 'kind', 'client_id', 'text', 'data'],
  },
  {
    table: 'ad_platform_blocks',
    columns: ['ad_platform_lead_id', 'lead_id', 'submission_id', 'block'],
    onConflict: 'do nothing',
  },
  {
    table: 'quiz_questions',
    columns: ['quiz_key', 'question', 'label', 'position', 'options', 'first_seen_at'],
    onConflict: `(quiz_key, question) do update set options = excluded.options`,
  },
  {
    table: 'quiz_answers',
    columns: [
      'id',
      'lead_id',
      'submission_id',
      'quiz_key',
      'position',
      'question',
      'raw',
      'reading',
      'flagged',
    ],
    whenNull: { raw: `'null'::json` },
  },
  {
    table: 'assignments',
    columns: [
      'id',
      'lead_id',
      'round',
      'move',
      'status',
      'agent_id',
      'previous_agent_id',
      'pool_id',
      'decided_by',
      'rule_name',
      'ruleset_version',
      'reason',
      'follow_up',
      'claim_id',
      'decided_at',
    ],
  },
  {
    table: 'routing_decisions',
    columns: [
      'assignment_id',
      'ruleset_version',
      'facts',
      'facts_hash',
      'roster',
      'roster_hash',
      'explanation',
    ],
  },
  {
    table: 'webhook_events',
    columns: ['id', 'lead_id', 'client_id', 'type', 'sequence', 'body', 'created_at'],
    returning: '*',
  },
  {
    table: 'webhook_deliveries',
    columns: ['event_id', 'endpoint_id', 'lead_id', 'created_at'],
    select: `select e.id, p.id, e.lead_id, e.created_at from new_webhook_events e
      join webhook_endpoints p on p.client_id = e.client_id and p.enabled and e.type = any (p.events)`,
    selectsFrom: 'webhook_events',
  },
  {
    table: 'lead_outbox',
    columns: ['lead_id', 'event', 'created_at', 'next_attempt_at'],
    returning: 'id',
  },
];

export const submission: TableInsert = {
  table: 'submissions',
  columns: ['id', 'lead_id', 'client_id', 'kind', 'received_at', 'body'],
  select: `select $2::uuid, $3::uuid, $4::uuid, $5::text, $6::timestamptz, $7::json`,
};

export const contact: TableInsert = {
  table: 'contacts',
  columns: ['id', 'first_name', 'middle_name', 'last_name', 'company_name', 'created_at'],
};
export const lead: TableInsert = { table: 'leads', columns: leadColumns };
