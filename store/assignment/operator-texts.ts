import type { Sql } from '../db/database.ts';

export interface OperatorText {
  id: string;
  leadId: string | null;
  handOverId: string | null;
  author: string;
  text: string;
  now: Date;
}

/** False if it was not kept: the first text of a request stays, and an erased lead gets no text. */
export async function insertOperatorText({ tables, run }: Sql, { leadId, ...text }: OperatorText) {
  const row = tables.selectNoFrom(({ cast, val }) => [
    cast<string>(val(text.id), 'uuid').as('id'),
    cast<string | null>(val(leadId), 'uuid').as('lead_id'),
    cast<string | null>(val(text.handOverId), 'uuid').as('hand_over_id'),
    cast<string>(val(text.author), 'text').as('author'),
    cast<Date>(val(text.now), 'timestamptz').as('written_at'),
    cast<string>(val(text.text), 'text').as('text'),
  ]);
  const lead = tables.selectFrom('leads').where('erased_at', 'is', null).forShare();
  const kept = tables
    .insertInto('operator_texts')
    .columns(['id', 'lead_id', 'hand_over_id', 'author', 'written_at', 'text'])
    .expression(
      leadId === null ? row : row.where(({ exists }) => exists(lead.where('id', '=', leadId))),
    )
    .onConflict((conflict) => conflict.column('hand_over_id').doNothing());
  return (await run(kept.returning('id'))).length > 0;
}

export type OperatorNote = Awaited<ReturnType<typeof readOperatorNotes>>[number];

/** What operators wrote about a lead beside the reasons of their requests, the oldest first. */
export function readOperatorNotes({ tables, run }: Sql, leadId: string) {
  return run(
    tables
      .selectFrom('operator_texts')
      .select(['written_at as at', 'author', 'text'])
      .where('lead_id', '=', leadId)
      .where('hand_over_id', 'is', null)
      .orderBy('written_at')
      .orderBy('id'),
  );
}
