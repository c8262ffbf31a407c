import { assignAgentSlugs } from '../../../domain/catalogue/dataset/check-dataset.ts';
import { findCode } from '../../../domain/catalogue/dataset/resolve-rules.ts';
import type { Indexed, RecordOf } from '../../../domain/catalogue/dataset/sections.ts';
import { agentCategories } from '../../../domain/catalogue/lookups/standard-lists.ts';
import type { Sql } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { lockChanging, type Row, type WrittenTable } from '../../db/rows.ts';
import type { ImportContext, WriteSection } from './import-context.ts';
import { sectionTable, toRow } from './section-tables.ts';
import { countNested, sum, upsert, writeRows, type Counts } from './upsert.ts';

const agentTable = sectionTable('agents');

export const writeAgents: WriteSection<'agents'> = async (context, records) => {
  const { ids, languages, companyTimeZone } = context;
  const given = records.map(({ value }) => value);
  const slugs = assignAgentSlugs(given, context.agentSlugs);
  const rows = given.map((agent) => ({
    ...toRow(agentTable, agent, ids),
    slug: slugs.get(agent.email),
    time_zone: agent.timeZone ?? companyTimeZone,
    languages: agent.languages.map((language) => findCode(languages, language)),
    category: agent.category === null ? null : findCode(agentCategories, agent.category),
  }));
  // In the order in which decisions lock agents, so that an import and a decision cannot deadlock.
  await lockChanging(context.sql, agentTable, rows);
  await freeSlugs(context.sql, rows);
  return writeRows(context, agentTable, rows);
};

/** Agents may exchange their slugs, so those that change are given up before any is taken. */
async function freeSlugs(sql: Sql, rows: readonly Row[]): Promise<void> {
  await sql.all(FREE_SLUGS, { ids: rows.map(({ id }) => id), slugs: rows.map(({ slug }) => slug) });
}

const FREE_SLUGS = statement<Record<'ids' | 'slugs', unknown[]>>('free_slugs')`
update agents a set slug = a.id::text
from unnest(:ids::uuid[], :slugs::text[]) given (id, slug)
where a.id = given.id and a.slug <> given.slug`;

const teams: WrittenTable = { name: 'teams', columns: ['id', 'name'], key: ['id'] };

/** A member's place in the rotation outlives an import: those columns are not written. */
const members: WrittenTable = {
  name: 'team_members',
  columns: ['team_id', 'agent_id', 'weight', 'position'],
  key: ['team_id', 'agent_id'],
};

/** A team is its name and its members: those that the file leaves out of a team are removed from it. */
export const writeTeams: WriteSection<'teams'> = async (context, records) => {
  const counts: Counts[] = [];
  for (const record of records) {
    const { name } = record.value;
    const row = { id: context.ids.of('teams', name), name };
    const written = await upsert(context.sql, teams, [row], context.onWritten);
    counts.push(countNested(written, await writeMembers(context, record)));
  }
  return sum(counts);
};

async function writeMembers(
  { ids, sql }: ImportContext,
  { value: team }: Indexed<RecordOf<'teams'>>,
): Promise<boolean> {
  const teamId = ids.of('teams', team.name);
  const rows = team.members.map(({ agent, weight }, position) => ({
    team_id: teamId,
    agent_id: ids.of('agents', agent),
    weight,
    position,
  }));
  const agentIds = rows.map((row) => row.agent_id);
  const removed = await sql.all(REMOVE_MEMBERS, { teamId, agentIds });
  const { created, updated } = await upsert(sql, members, rows);
  return created + updated + removed.length > 0;
}

const REMOVE_MEMBERS = statement<{ teamId: string; agentIds: string[] }, { agentId: string }>(
  'remove_members',
)`
delete from team_members where team_id = :teamId and agent_id <> all (:agentIds::uuid[])
returning agent_id as "agentId"`;
