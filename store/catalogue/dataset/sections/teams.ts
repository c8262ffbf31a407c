import type { Indexed, RecordOf } from '../../../../domain/catalogue/dataset/sections.ts';
import { Team, TeamMember } from '../../../tables/agents.ts';
import type { ImportContext, WriteSection } from '../write-rows.ts';
import { countNested, sum, upsert, upsertTable, type Counts } from '../upsert.ts';

const teams = upsertTable(Team);

/** A member's place in the rotation outlives an import. */
const members = upsertTable(TeamMember, {
  key: ['team_id', 'agent_id'],
  except: ['credit', 'owed_leads'],
});

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
  const removed = await sql.query(
    `delete from team_members where team_id = $1 and agent_id <> all ($2::uuid[]) returning agent_id`,
    [teamId, rows.map((row) => row.agent_id)],
  );
  const { created, updated } = await upsert(sql, members, rows);
  return created + updated + removed.length > 0;
}
