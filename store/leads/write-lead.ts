import type { Sql } from '../database.ts';
import { insertStatement, runInserts } from '../insert-rows.ts';
import type { RowsByTable, TableInsert } from '../insert-rows.ts';
import { leadColumns } from './lead-row.ts';

/** Everything that hangs on a lead and is only ever added to. */
export type LeadTable =
  | 'lead_access'
  | 'lead_handles'
  | 'contact_handles'
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

/** The body of the request, kept as it came. */
export interface Submission {
  id: string;
  leadId: string;
  clientId: string;
  kind: 'create' | 'merge' | 'update';
  receivedAt: Date;
  /** JSON text, never parsed and printed again. */
  body: string;
}

const additions: readonly TableInsert[] = [
  { table: 'contact_handles', columns: ['kind', 'value', 'contact_id'], onConflict: 'do nothing' },
  { table: 'lead_access', columns: ['lead_id', 'client_id'], onConflict: 'do nothing' },
  {
    table: 'lead_handles',
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
  },
  {
    table: 'lead_outbox',
    columns: ['lead_id', 'event', 'created_at', 'next_attempt_at'],
    returning: 'id',
  },
];

const submission: TableInsert = {
  table: 'submissions',
  columns: ['id', 'lead_id', 'client_id', 'kind', 'received_at', 'body'],
  select: `select $2::uuid, $3::uuid, $4::uuid, $5::text, $6::timestamptz, $7::json`,
};

const contact: TableInsert = {
  table: 'contacts',
  columns: ['id', 'first_name', 'middle_name', 'last_name', 'company_name', 'created_at'],
};
const lead: TableInsert = { table: 'leads', columns: leadColumns };

const OUTBOX_ID = `select (select max(id) from new_lead_outbox) as "outboxId"`;
const CREATE = insertStatement([contact, lead, ...additions, submission], OUTBOX_ID);

const supersede = `superseded as (
  update quiz_answers q set superseded_at = $6::timestamptz
  from (select distinct lead_id, quiz_key from new_quiz_answers) n
  where q.lead_id = n.lead_id and q.quiz_key = n.quiz_key and q.superseded_at is null)`;
const withReturning = additions.map((insert) =>
  insert.table === 'quiz_answers' ? { ...insert, returning: 'lead_id, quiz_key' } : insert,
);
const changedLead = `changed as (
  update leads l set (${leadColumns.join(', ')}) = (
    select ${leadColumns.map((column) => `r.${column}`).join(', ')}
    from jsonb_populate_record(l, doc.rows -> 'change') r)
  from doc where l.id = $3 and doc.rows ? 'change')`;
const UPDATE = insertStatement(
  [...withReturning, submission],
  `, ${supersede}, ${changedLead} ${OUTBOX_ID}`,
);
const CHANGE = insertStatement(additions, `, ${changedLead.replace('$3', '$2')} ${OUTBOX_ID}`);

function submissionValues({ id, leadId, clientId, kind, receivedAt, body }: Submission): unknown[] {
  return [id, leadId, clientId, kind, receivedAt, body];
}

/** A new lead with all that belongs to it, in one statement. Returns the id of its outbox row. */
export async function insertLead(
  sql: Sql,
  rows: LeadRows,
  sent: Submission,
): Promise<number | null> {
  return runInserts(sql, CREATE, rows, submissionValues(sent));
}

/** What a merged enquiry or an update adds to a lead and changes of it, in one statement. */
export async function addSubmission(
  sql: Sql,
  rows: LeadRows & { change?: object },
  sent: Submission,
): Promise<number | null> {
  return runInserts(sql, UPDATE, rows, submissionValues(sent));
}

/** What the service itself changes of a lead: an assignment, a note, an event. */
export async function changeLead(
  sql: Sql,
  leadId: string,
  rows: LeadRows & { change?: object },
): Promise<number | null> {
  return runInserts(sql, CHANGE, rows, [leadId]);
}
