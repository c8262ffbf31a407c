import { noteText } from '../../domain/assignment/assignment-notes.ts';
import { TRANSITIONS } from '../../domain/assignment/transitions.ts';
import type { Sql } from '../db/database.ts';
import { OUTBOX_LEASE_MS } from '../leads/outbox.ts';
import { wakeWaitingSql } from './waits.ts';
import { readerParameters, VISIBLE, type Reader } from './read-assignment.ts';

export interface ResponseRecord {
  leadId: string;
  seconds: number;
  at: Date;
  reader: Reader;
  readerName: string;
  noteId: string;
}

/** The states whose clock a response stops. It changes nothing else, so no state is read before. */
const stoppedStates = TRANSITIONS.filter(
  ({ event, clock }) => event === 'responded' && clock === 'stop',
).map(({ from }) => from);

/**
 * Records how long the agent took and stops the clock; the last write wins. The outbox signals the lead's
 * workflow where the response stopped a clock or is the holder's first. Null for a lead that is not there
 * for this reader.
 */
export function recordResponse(sql: Sql, { reader, readerName, ...response }: ResponseRecord) {
  const { seconds } = response;
  const text = noteText({ kind: 'responded', recordedBy: readerName, seconds });
  const values = { ...response, text, stoppedStates, ...readerParameters(reader) };
  return sql.queryOne<{ leadId: string; outboxId: number | null }>(RECORD_RESPONSE_SQL, values);
}

const RECORD_RESPONSE_SQL = `
with before as (
  select l.id, l.follow_up_due_at is not null
    or (l.assignment_status = 'assigned' and l.agent_responded_at is null) as concerns_workflow from leads l
  where l.id = :leadId and ${VISIBLE} for no key update),
changed as (
  update leads l set agent_response_seconds = :seconds, agent_responded_at = :at::timestamptz, updated_at = :at,
    follow_up_due_at = case when l.assignment_status <> all (:stoppedStates::text[]) then l.follow_up_due_at end
  from before where l.id = before.id returning l.id),
noted as (
  insert into timeline_notes (id, lead_id, at, kind, client_id, text)
  select :noteId::uuid, id, :at, 'response', :readerId::uuid, :text::text from changed),
queued as (
  insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
  select id, 'responded', :at, :at::timestamptz + interval '${OUTBOX_LEASE_MS} milliseconds' from before
  where concerns_workflow returning id),
woken as (${wakeWaitingSql('exists (select from before where concerns_workflow)')})
select id as "leadId", (select id from queued) as "outboxId" from changed`;
