import type { Sql } from '../db/database.ts';

/** What an operator wrote about a lead, or about a request that moves leads. */
export interface OperatorText {
  id: string;
  /** The lead that the text is about; null for a request that moves several. */
  leadId: string | null;
  handOverId: string | null;
  author: string;
  text: string;
  now: Date;
}

/**
 * Inserts a text; false if it was not kept. The first text of a request stays. The statement waits for an erasure under way,
 * since an erased lead gets no text.
 */
export async function insertOperatorText(sql: Sql, text: OperatorText): Promise<boolean> {
  return (await sql.query(INSERT_TEXT_SQL, { ...text })).length > 0;
}

export interface OperatorNote {
  at: Date;
  author: string;
  text: string;
}

/** What operators wrote about a lead beside the reasons of their requests, the oldest first. */
export function readOperatorNotes(sql: Sql, leadId: string): Promise<OperatorNote[]> {
  return sql.query<OperatorNote>(
    `select written_at as at, author, text from operator_texts
     where lead_id = :leadId and hand_over_id is null order by written_at, id`,
    { leadId },
  );
}

const INSERT_TEXT_SQL = `
insert into operator_texts (id, lead_id, hand_over_id, author, written_at, text)
select :id::uuid, :leadId::uuid, :handOverId::uuid, :author::text, :now::timestamptz, :text::text
where :leadId::uuid is null or exists (select from leads where id = :leadId and erased_at is null for share)
on conflict (hand_over_id) do nothing returning id`;
