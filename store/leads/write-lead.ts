import type { Sql } from '../db/database.ts';
import type { CreditChange } from '../../domain/routing/decision.ts';
import {
  insertStatement,
  insertsWithRows,
  runInserts,
  type RowsByTable,
} from '../db/insert-rows.ts';
import { additions, contact, lead, submission } from './lead-tables.ts';

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

export type SubmissionRows = RowsByTable & {
  change?: object;
  /** The stored key of the quiz whose earlier answers the new ones supersede. */
  superseded_quiz_key: string | null;
};

const OUTBOX_ID = `select (select max(id) from new_lead_outbox) as "outboxId"`;
const CREATE = insertStatement([contact, lead, ...additions, submission], OUTBOX_ID);

const supersededAnswers = `superseded as (
  update quiz_answers q set superseded_at = :receivedAt::timestamptz from doc
  where q.lead_id = :leadId and q.quiz_key = doc.rows ->> 'superseded_quiz_key' and q.superseded_at is null)`;
const changedLead = (columns: readonly string[]) => `changed as (
  update leads l set (${columns.join(', ')}) = (
    select ${columns.map((column) => `r.${column}`).join(', ')}
    from jsonb_populate_record(l, doc.rows -> 'change') r)
  from doc where l.id = :leadId and doc.rows ? 'change')`;
const UPDATE = insertStatement(
  [...additions, submission],
  `, ${supersededAnswers}, ${changedLead(lead.columns)} ${OUTBOX_ID}`,
);
const credited = `credited as (
  update team_members m set credit = c.credit
  from doc, jsonb_to_recordset(doc.rows -> 'credits') as c ("teamId" uuid, "agentId" uuid, credit int)
  where m.team_id = c."teamId" and m.agent_id = c."agentId")`;

/** One text for each combination of tables and columns, of which there are few. */
function changeStatement(rows: RowsByTable & { change?: object }): string {
  const columns = Object.keys(rows.change ?? {});
  const changed = columns.length > 0 ? `, ${changedLead(columns)}` : '';
  const inserts = insertsWithRows(additions, rows);
  return insertStatement(inserts, `${changed}, ${credited} select :leadId::uuid where false`);
}

/** A new lead with all that belongs to it, in one statement. Returns the id of its outbox row. */
export async function insertLead(
  sql: Sql,
  rows: RowsByTable,
  sent: Submission,
): Promise<number | null> {
  return runInserts(sql, CREATE, rows, sent);
}

/** What a merged enquiry or an update adds to a lead and changes of it, in one statement. */
export async function addSubmission(
  sql: Sql,
  rows: SubmissionRows,
  sent: Submission,
): Promise<number | null> {
  return runInserts(sql, UPDATE, rows, sent);
}

/** What the service itself changes of a lead: an assignment with its step of the rotation, a note, an event. */
export async function changeLead(
  sql: Sql,
  leadId: string,
  rows: RowsByTable & { change?: object; credits?: readonly CreditChange[] },
): Promise<void> {
  await runInserts(sql, changeStatement(rows), rows, { leadId });
}

/**
 * Ends a lead's merge window for good: its phones and e-mails no longer stand for an open lead. Returns
 * the end of a window that is not over at `now`.
 */
export async function closeMergeWindow(sql: Sql, leadId: string, now: Date): Promise<Date | null> {
  const open = await sql.queryOne<{ endsAt: Date }>(CLOSE_MERGE_WINDOW_SQL, { leadId, now });
  return open?.endsAt ?? null;
}

const CLOSE_MERGE_WINDOW_SQL = `
with closed as (
  update leads set merge_window_closed_at = :now::timestamptz
  where id = :leadId and merge_window_closed_at is null and merge_window_ends_at <= :now returning id),
freed as (
  update lead_contact_points h set mergeable = false from closed where h.lead_id = closed.id and h.mergeable)
select merge_window_ends_at as "endsAt" from leads
where id = :leadId and merge_window_closed_at is null and merge_window_ends_at > :now`;
