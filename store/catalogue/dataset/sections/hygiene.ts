import type { Row } from '../../../db/insert-rows.ts';
import { CompetitorDomain, KnownAgent } from '../../../tables/contacts.ts';
import { QuizField } from '../../../tables/quiz.ts';
import type { ImportContext, WriteSection } from '../write-rows.ts';
import { upsert, upsertTable, type Counts, type UpsertTable } from '../upsert.ts';

/** Lists without a flag: what the file leaves out is deleted, where that was asked for. */

const quizFields = upsertTable(QuizField, { key: ['quiz_key', 'question_key'] });
const knownAgents = upsertTable(KnownAgent, { key: ['kind', 'value'] });
const domains = upsertTable(CompetitorDomain, { key: ['domain'] });

export const writeQuizFields: WriteSection<'quizFields'> = (context, records) => {
  const rows = records.map(({ value: { quizKey, questionKey, field } }) => ({
    ...{ quiz_key: quizKey, question_key: questionKey, field },
  }));
  return writeList(context, quizFields, rows);
};

export const writeKnownAgents: WriteSection<'knownAgents'> = (context, records) => {
  const rows = records.flatMap(({ value }) => value.map((contactPoint) => ({ ...contactPoint })));
  return writeList(context, knownAgents, rows);
};

export const writeCompetitorDomains: WriteSection<'competitorDomains'> = (context, records) => {
  const rows = records.map(({ value }) => ({ domain: value }));
  return writeList(context, domains, rows);
};

async function writeList(
  context: ImportContext,
  table: UpsertTable,
  rows: readonly Row[],
): Promise<Counts> {
  const { sql, disableMissing } = context;
  const disabled = disableMissing ? await deleteMissing(context, table, rows) : 0;
  return { ...(await upsert(sql, table, rows, context.onWritten)), disabled };
}

async function deleteMissing(
  { sql }: ImportContext,
  { name, key }: UpsertTable,
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
