import type { Sql } from '../db/database.ts';
import { OUTBOX_LEASE_MS } from './outbox.ts';
import { seesEveryLead, visibleTo } from '../assignment/read-assignment.ts';
import type { Reader } from '../assignment/read-assignment.ts';

export interface ResponseRecord {
  leadId: string;
  seconds: number;
  at: Date;
  reader: Reader;
  readerName: string;
  noteId: string;
}

export interface RecordedResponse {
  leadId: string;
  outboxId: number | null;
}

/**
 * Records how long the agent took and stops the clock; the last write wins. The lead's workflow hears of
 * it through the outbox where it stopped a clock or is the holder's first. Null for a lead that is not
 * there for this reader.
 */
export async function recordResponse(
  sql: Sql,
  record: ResponseRecord,
): Promise<RecordedResponse | null> {
  const [done] = await sql.query<RecordedResponse & Record<string, unknown>>(STATEMENT, [
    record.leadId,
    record.reader.id,
    seesEveryLead(record.reader),
    record.seconds,
    record.at,
    record.noteId,
    `${record.readerName} recorded a response after ${record.seconds} s.`,
  ]);
  return done ?? null;
}

const STATEMENT = `
with before as (
  select l.id, l.follow_up_due_at is not null
    or (l.assignment_status = 'assigned' and l.agent_responded_at is null) as is_news from leads l
  where l.id = $1 and ${visibleTo('$2', '$3')} for no key update),
changed as (
  update leads l set agent_response_seconds = $4, agent_responded_at = $5::timestamptz,
    follow_up_due_at = null, updated_at = $5
  from before where l.id = before.id returning l.id),
noted as (
  insert into timeline_notes (id, lead_id, at, kind, client_id, text)
  select $6::uuid, id, $5, 'response', $2::uuid, $7::text from changed),
told as (
  insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
  select id, 'responded', $5, $5::timestamptz + interval '${OUTBOX_LEASE_MS} milliseconds' from before where is_news
  returning id)
select id as "leadId", (select id from told) as "outboxId" from changed`;
