import { assignAgentSlugs } from '../../../../domain/catalogue/dataset/agent-slugs.ts';
import { findCode } from '../../../../domain/catalogue/dataset/references.ts';
import type { RecordOf } from '../../../../domain/catalogue/dataset/sections.ts';
import { agentCategories } from '../../../../domain/catalogue/lookups/standard-lists.ts';
import type { Sql } from '../../../db/database.ts';
import type { Row } from '../../../db/insert-rows.ts';
import { sectionTables, toRow } from '../section-tables.ts';
import { isSameSql } from '../upsert.ts';
import { writeRows, type ImportContext, type WriteSection } from '../write-rows.ts';

const table = sectionTables.agents;

export const writeAgents: WriteSection<'agents'> = async (context, records) => {
  const agents = records.map(({ value }) => value);
  const slugs = assignAgentSlugs(agents, context.agentSlugs);
  const rows = agents.map((agent) => ({
    ...agentRow(context, agent),
    slug: slugs.get(agent.email),
  }));
  await lockChanging(context.sql, rows);
  await freeSlugs(context.sql, rows);
  return writeRows(context, table, rows);
};

function agentRow(
  { ids, languages, companyTimeZone }: ImportContext,
  agent: RecordOf<'agents'>,
): Row {
  return {
    ...toRow('agents', agent, ids),
    time_zone: agent.timeZone ?? companyTimeZone,
    languages: agent.languages.map((language) => findCode(languages, language)),
    category: agent.category === null ? null : findCode(agentCategories, agent.category),
  };
}

/** In the order in which decisions lock agents, so that an import and a decision cannot deadlock. */
async function lockChanging(sql: Sql, rows: readonly Row[]): Promise<void> {
  await sql.query(
    `select t.id from agents t join jsonb_populate_recordset(null::agents, $1::jsonb) g using (id)
     where not (${isSameSql(table.columns)}) order by t.id for no key update of t`,
    [JSON.stringify(rows)],
  );
}

/** Agents may exchange their slugs, so those that change are given up before any is taken. */
async function freeSlugs(sql: Sql, rows: readonly Row[]): Promise<void> {
  await sql.query(
    `update agents a set slug = a.id::text
     from unnest($1::uuid[], $2::text[]) as given (id, slug)
     where a.id = given.id and a.slug <> given.slug`,
    [rows.map(({ id }) => id), rows.map(({ slug }) => slug)],
  );
}
