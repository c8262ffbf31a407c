import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';

export interface OperatorText {
  id: string;
  leadId: string | null;
  handOverId: string | null;
  author: string;
  text: string;
  now: Date;
}

/** False if it was not stored: the first text of a request stays, and an erased lead gets no text. */
export async function insertOperatorText(sql: Sql, text: OperatorText): Promise<boolean> {
  return (await sql.first(INSERT_OPERATOR_TEXT, text)) !== null;
}

const INSERT_OPERATOR_TEXT = statement<OperatorText, { id: string }>(
  'insert_operator_text',
  `insert into operator_texts (id, lead_id, hand_over_id, author, written_at, text)
   select :id::uuid, :leadId::uuid, :handOverId::uuid, :author, :now::timestamptz, :text
   where :leadId::uuid is null or exists (
     select from leads where id = :leadId and erased_at is null for share)
   on conflict (hand_over_id) do nothing returning id`,
);

export interface OperatorNote {
  at: Date;
  author: string;
  text: string;
}

/** What operators wrote about a lead in addition to the reasons of their requests, the oldest first. */
export function readOperatorNotes(sql: Sql, leadId: string): Promise<OperatorNote[]> {
  return sql.all(READ_OPERATOR_NOTES, { leadId });
}

const READ_OPERATOR_NOTES = statement<{ leadId: string }, OperatorNote>(
  'read_operator_notes',
  `select written_at as at, author, text from operator_texts
   where lead_id = :leadId and hand_over_id is null order by written_at, id`,
);
