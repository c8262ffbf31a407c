import { assignAgentSlugs } from '../../../domain/catalogue/dataset/check-dataset.ts';
import { findCode } from '../../../domain/catalogue/dataset/resolve-rules.ts';
import type { Indexed, RecordOf } from '../../../domain/catalogue/dataset/sections.ts';
import { agentCategories } from '../../../domain/catalogue/lookups/standard-lists.ts';
import type { Sql } from '../../db/database.ts';
import type { Row } from '../../db/insert-rows.ts';
import { Agent, Team, TeamMember } from '../../tables/agents.ts';
import type { ImportContext, StoredSection } from './import-context.ts';
import { exportSql, sectionTable, toRow } from './section-tables.ts';
import {
  countNested,
  isSameSql,
  sum,
  upsert,
  upsertTable,
  writeRows,
  type Counts,
} from './upsert.ts';

/** `paused_at` is the operator's, by command. */
const agentTable = sectionTable('agents', Agent, {
  flag: 'active',
  insertOnly: ['email'],
  except: ['paused_at'],
});

export const agents: StoredSection<'agents'> = {
  async write(context, records) {
    const given = records.map(({ value }) => value);
    const slugs = assignAgentSlugs(given, context.agentSlugs);
    const rows = given.map((agent) => ({
      ...agentRow(context, agent),
      slug: slugs.get(agent.email),
    }));
    await lockChanging(context.sql, rows);
    await freeSlugs(context.sql, rows);
    return writeRows(context, agentTable, rows);
  },
  records: exportSql(agentTable, 't.email'),
};

function agentRow(
  { ids, languages, companyTimeZone }: ImportContext,
  agent: RecordOf<'agents'>,
): Row {
  return {
    ...toRow(agentTable, agent, ids),
    time_zone: agent.timeZone ?? companyTimeZone,
    languages: agent.languages.map((language) => findCode(languages, language)),
    category: agent.category === null ? null : findCode(agentCategories, agent.category),
  };
}

/** In the order in which decisions lock agents, so that an import and a decision cannot deadlock. */
async function lockChanging(sql: Sql, rows: readonly Row[]): Promise<void> {
  await sql.query(
    `select t.id from agents t join jsonb_populate_recordset(null::agents, $1::jsonb) g using (id)
     where not (${isSameSql(agentTable.columns)}) order by t.id for no key update of t`,
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

const teamTable = upsertTable(Team);

/** A member's place in the rotation outlives an import. */
const members = upsertTable(TeamMember, {
  key: ['team_id', 'agent_id'],
  except: ['credit', 'owed_leads'],
});

/** A team is its name and its members: those that the file leaves out of a team are removed from it. */
export const teams: StoredSection<'teams'> = {
  async write(context, records) {
    const counts: Counts[] = [];
    for (const record of records) {
      const { name } = record.value;
      const row = { id: context.ids.of('teams', name), name };
      const written = await upsert(context.sql, teamTable, [row], context.onWritten);
      counts.push(countNested(written, await writeMembers(context, record)));
    }
    return sum(counts);
  },
  records: `
    select jsonb_build_object('name', t.name, 'members', coalesce((
      select jsonb_agg(jsonb_build_object('agent', a.email, 'weight', m.weight) order by m.position)
      from team_members m join agents a on a.id = m.agent_id where m.team_id = t.id), '[]')) as record
    from teams t order by t.name`,
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
  const removed = await sql.query(
    `delete from team_members where team_id = $1 and agent_id <> all ($2::uuid[]) returning agent_id`,
    [teamId, rows.map((row) => row.agent_id)],
  );
  const { created, updated } = await upsert(sql, members, rows);
  return created + updated + removed.length > 0;
}
