import type { Sql } from '../db/database.ts';

/** What an operator wrote about a lead, or about a request that moves leads. */
export interface OperatorText {
  id: string;
  /** Null where the text is not about one lead. */
  leadId: string | null;
  handOverId: string | null;
  author: string;
  text: string;
  now: Date;
}

/** The first text of a request stays. An erasure that is under way is waited for: an erased lead gets no text. */
export async function insertOperatorText(sql: Sql, text: OperatorText): Promise<void> {
  await sql.query(INSERT_TEXT_SQL, { ...text });
}

const INSERT_TEXT_SQL = `
insert into operator_texts (id, lead_id, hand_over_id, author, written_at, text)
select :id::uuid, :leadId::uuid, :handOverId::uuid, :author::text, :now::timestamptz, :text::text
where :leadId::uuid is null or exists (select from leads where id = :leadId and erased_at is null for share)
on conflict (hand_over_id) do nothing`;
