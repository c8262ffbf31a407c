import type { CreditChange } from '../../domain/routing/decision.ts';
import type { Sql, TransactionSql } from '../db/database.ts';
import { insertStatement, joinRows, type RowsByTable } from '../db/insert-rows.ts';
import { additions, contact, lead } from './lead-tables.ts';

export type ChangeRows = RowsByTable & {
  change?: object;
  /** The stored key of the quiz whose earlier answers the new ones supersede. */
  superseded_quiz_key?: string | null;
  credits?: readonly CreditChange[];
};

interface OutboxId {
  leadId: string;
  outboxId: number;
}

/**
 * New leads with all that belongs to them in one statement, which ends the transaction. Returns the ids of
 * their outbox rows.
 */
export async function insertLeads(
  sql: TransactionSql,
  leads: readonly RowsByTable[],
): Promise<OutboxId[]> {
  const rows = joinRows(leads);
  const statement = insertStatement(
    [contact, lead, ...additions],
    rows,
    `select lead_id as "leadId", id as "outboxId" from new_lead_outbox`,
  );
  return sql.queryAndCommit<OutboxId>(statement, { rows: JSON.stringify(rows) });
}

const supersededAnswers = `superseded as (
  update quiz_answers q set superseded_at = :now::timestamptz from doc
  where q.lead_id = :leadId and q.quiz_key = doc.rows ->> 'superseded_quiz_key' and q.superseded_at is null)`;
const changedLead = (columns: readonly string[]) => `changed as (
  update leads l set (${columns.join(', ')}) = (
    select ${columns.map((column) => `r.${column}`).join(', ')}
    from jsonb_populate_record(l, doc.rows -> 'change') r)
  from doc where l.id = :leadId)`;
const credited = `credited as (
  update team_members m set credit = c.credit
  from doc, jsonb_to_recordset(doc.rows -> 'credits') as c ("teamId" uuid, "agentId" uuid, credit int)
  where m.team_id = c."teamId" and m.agent_id = c."agentId")`;

/**
 * What is added to a lead and changed of it, in one statement: by a merged enquiry or an update, or an
 * assignment with its step of the rotation. Returns the id of the outbox row, where there is one.
 */
export async function changeLead(
  sql: Sql,
  leadId: string,
  rows: ChangeRows,
  now: Date,
): Promise<number | null> {
  const columns = Object.keys(rows.change ?? {});
  const updates = [
    ...(columns.length > 0 ? [changedLead(columns)] : []),
    ...(typeof rows.superseded_quiz_key === 'string' ? [supersededAnswers] : []),
    ...(rows.credits?.length ? [credited] : []),
  ];
  const outboxId = rows.lead_outbox?.length ? '(select id from new_lead_outbox)' : 'null::int';
  const rest = [...updates.map((update) => `, ${update}`), `select ${outboxId} as "outboxId"`];
  const statement = insertStatement(additions, rows, rest.join('\n'));
  const values = { leadId, now, rows: JSON.stringify(rows) };
  return (await sql.queryOne<{ outboxId: number | null }>(statement, values))?.outboxId ?? null;
}

/** Whether any of these submissions is stored. */
export async function hasSubmission(sql: Sql, ids: readonly string[]): Promise<boolean> {
  return (
    (await sql.query(`select from submissions where id = any (:ids::uuid[])`, { ids })).length > 0
  );
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
