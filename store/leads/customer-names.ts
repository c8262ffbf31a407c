import { createBatcher } from '../db/batcher.ts';
import type { Sql } from '../db/database.ts';

/** The names of leads' customers, by the leads' ids; those that are asked for at once share a statement. */
export function createCustomerNameReader(sql: Sql) {
  return createBatcher<string, string[]>(async (leadIds) => {
    const rows = await sql.query<{ id: string; names: string[] }>(CUSTOMER_NAMES_SQL, { leadIds });
    const found = new Map(rows.map(({ id, names }) => [id, names]));
    return leadIds.map((id) => found.get(id) ?? []);
  });
}

const CUSTOMER_NAMES_SQL = `
select id, array_remove(
    array[lead_first_name, lead_middle_name, lead_second_name, lead_last_name], null) as names
from leads where id = any (:leadIds::uuid[])`;

/** What the service itself writes into histories: names of sources, pools, funnels, clients and rules. */
export async function readRecordNamesInHistories(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(RECORD_NAMES_SQL);
  return rows.map(({ name }) => name);
}

const RECORD_NAMES_SQL = `
select name from list_entries where list in ('source', 'pool')
union select name from funnels
union select name from oauth_clients
union select rule ->> 'name' from routing_rulesets, jsonb_array_elements(rules) rule`;
