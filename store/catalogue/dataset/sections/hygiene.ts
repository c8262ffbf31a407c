import type { Row } from '../../../db/insert-rows.ts';
import type { ImportContext, WriteSection } from '../import-context.ts';
import { upsert } from '../upsert.ts';
import type { Counts, UpsertTable } from '../upsert.ts';

/** Plain facts with nothing to switch off: what goes missing is taken out, where that was asked for. */

const quizFields: UpsertTable = {
  name: 'quiz_fields',
  columns: ['quiz_key', 'question_key', 'field'],
  key: ['quiz_key', 'question_key'],
};
const knownAgents: UpsertTable = {
  name: 'known_agents',
  columns: ['kind', 'value'],
  key: ['kind', 'value'],
};
const domains: UpsertTable = { name: 'competitor_domains', columns: ['domain'], key: ['domain'] };

export const writeQuizFields: WriteSection<'quizFields'> = (context, records) =>
  writeFacts(
    context,
    quizFields,
    records.map(({ value: { quizKey, questionKey, field } }) => ({
      quiz_key: quizKey,
      question_key: questionKey,
      field,
    })),
  );

export const writeKnownAgents: WriteSection<'knownAgents'> = (context, records) =>
  writeFacts(
    context,
    knownAgents,
    records.flatMap(({ value }) => value.map((contactPoint) => ({ ...contactPoint }))),
  );

export const writeCompetitorDomains: WriteSection<'competitorDomains'> = (context, records) =>
  writeFacts(
    context,
    domains,
    records.map(({ value }) => ({ domain: value })),
  );

async function writeFacts(
  context: ImportContext,
  table: UpsertTable,
  rows: readonly Row[],
): Promise<Counts> {
  const { sql, disableMissing } = context;
  const disabled = disableMissing ? await removeMissing(context, table, rows) : 0;
  return { ...(await upsert(sql, table, rows, context.onWritten)), disabled };
}

async function removeMissing(
  { sql }: ImportContext,
  { name, key = [] }: UpsertTable,
  rows: readonly Row[],
): Promise<number> {
  const columns = key.join(', ');
  const removed = await sql.query(
    `delete from ${name} where (${columns}) not in
       (select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb))
     returning 1`,
    [JSON.stringify(rows)],
  );
  return removed.length;
}
