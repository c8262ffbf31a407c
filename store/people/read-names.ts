import {
  collectNames,
  joinName,
  sentNameOf,
  type SentName,
} from '../../domain/people/sent-names.ts';
import type { Sql } from '../db/database.ts';

interface Row {
  leadId: string;
  parts: (string | null)[];
  bodies: unknown[];
}

/** All names under which these leads were sent; a merged enquiry may have brought another one than its lead shows. */
export async function readSentNames(sql: Sql, leadIds: readonly string[]): Promise<SentName[]> {
  const rows = await sql.query<Row>(NAMES_SQL, { leadIds });
  const sent = rows.flatMap(({ leadId, parts, bodies }) =>
    [joinName(parts), ...bodies.map(sentNameOf)].map((name) => ({ leadId, name })),
  );
  return collectNames(sent);
}

const NAMES_SQL = `
select l.id as "leadId",
  array[l.lead_first_name, l.lead_middle_name, l.lead_second_name, l.lead_last_name] as parts,
  coalesce((select json_agg(s.body order by s.received_at, s.id) from submissions s where s.lead_id = l.id), '[]')
    as bodies
from leads l where l.id = any (:leadIds::uuid[]) order by l.created_at, l.id`;
