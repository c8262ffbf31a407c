import type { Unresolved } from '../../domain/lead/resolve-fields.ts';
import type { Sql } from '../database.ts';

export interface FlaggedLead {
  id: string;
  flags: Unresolved;
}

/** The leads with values that matched nothing, a page at a time in the order of their ids. */
export async function readFlagged(
  sql: Sql,
  afterId: string | null,
  limit: number,
): Promise<FlaggedLead[]> {
  return sql.query<FlaggedLead & Record<string, unknown>>(
    `select id, intake_unresolved as flags from leads
     where intake_unresolved is not null and ($1::uuid is null or id > $1) order by id limit $2`,
    [afterId, limit],
  );
}
