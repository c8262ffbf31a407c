import type { SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import { findRuleLosses, type RuleLoss } from '../../../domain/routing/ruleset-losses.ts';
import type { Rule } from '../../../domain/routing/rule-schema.ts';
import type { Sql } from '../../db/database.ts';

/** What an import takes away that an operator may not have meant. */
export interface ImportLosses {
  rules: RuleLoss[];
  /** Teams of active rules that had members and have none any more. */
  emptiedTeams: string[];
  absences: readonly string[];
  datedHours: readonly string[];
  holidays: readonly string[];
}

/** Teams that rules need, with the number of their members. */
export async function countMembers(
  sql: Sql,
  rules: readonly Rule[],
): Promise<ReadonlyMap<string, number>> {
  const teamIds = rules.flatMap(({ enabled, target }) =>
    enabled && target.kind === 'team' ? [target.teamId] : [],
  );
  const rows = await sql.query<{ name: string; members: number }>(
    `select t.name, count(m.agent_id)::int as members
     from teams t left join team_members m on m.team_id = t.id
     where t.id = any(:teamIds::uuid[]) group by t.id, t.name order by t.name`,
    { teamIds },
  );
  return new Map(rows.map(({ name, members }) => [name, members]));
}

interface Routing {
  rules: readonly Rule[];
  members: ReadonlyMap<string, number>;
}

/** The names of the records of each section that are removed. */
export type Removed = { [Name in SectionName]?: readonly string[] };

export function findLosses(before: Routing, after: Routing, removed: Removed): ImportLosses {
  return {
    rules: findRuleLosses(before.rules, after.rules),
    emptiedTeams: [...after.members]
      .filter(([team, members]) => members === 0 && (before.members.get(team) ?? 0) > 0)
      .map(([team]) => team),
    absences: removed.absences ?? [],
    datedHours: removed.datedHours ?? [],
    holidays: removed.holidays ?? [],
  };
}

export function hasLosses(losses: ImportLosses): boolean {
  return Object.values(losses).some((lost: readonly unknown[]) => lost.length > 0);
}
