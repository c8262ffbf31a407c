import type { Unresolved } from '../../domain/leads/lookup-semantics.ts';
import type { Sql } from '../db/database.ts';

export interface FlaggedLead {
  id: string;
  flags: Unresolved;
  sourceId: string | null;
}

/** The leads with values that matched nothing, a page at a time in the order of their ids. */
export async function readFlagged(
  sql: Sql,
  afterId: string | null,
  limit: number,
): Promise<FlaggedLead[]> {
  return sql.query<FlaggedLead & Record<string, unknown>>(
    `select id, intake_unresolved as flags, source_id as "sourceId" from leads
     where intake_unresolved is not null and ($1::uuid is null or id > $1) order by id limit $2`,
    [afterId, limit],
  );
}

/** Of these ids and reference numbers, those that a listing has. */
export async function readKnownListings(
  sql: Sql,
  ids: readonly string[],
  referenceNos: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length + referenceNos.length === 0) return new Set();
  const rows = await sql.query<{ name: string }>(
    `select id::text as name from listings where enabled and id = any ($1::uuid[])
     union select asked from unnest($2::text[]) as asked
     where exists (select from listings where enabled and lower(reference_no) = lower(asked))`,
    [ids, referenceNos],
  );
  return new Set(rows.map(({ name }) => name));
}
