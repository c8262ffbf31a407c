import type { LintRecords } from '../../domain/routing/lint-rules.ts';
import type { Sql } from '../db/database.ts';

/** The people and places that rules are checked against, as they are now. */
export async function readLintRecords(sql: Sql): Promise<LintRecords> {
  const [agents, teams, pools, locations] = await Promise.all([
    sql.query<LintRecords['agents'][number]>(`
      select id, active, languages, location_ids as "locationIds", daily_cap as "dailyCap",
        open_cap as "openCap" from agents`),
    sql.query<LintRecords['teams'][number]>(`
      select t.id, array(select agent_id from team_members where team_id = t.id) as "agentIds"
      from teams t`),
    sql.query<LintRecords['pools'][number]>(
      `select id, enabled from list_entries where list = 'pool'`,
    ),
    // The least deep come last: of places that no rule distinguishes the last one is shown.
    sql.query<LintRecords['locations'][number]>(`
      select id, ancestor_ids as "ancestorIds" from locations
      order by cardinality(ancestor_ids) desc, path desc`),
  ]);
  return { agents, teams, pools, locations };
}
