import type { KnownRecords, RecordKind } from '../../../domain/catalogue/dataset/record-ids.ts';
import type { SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import { withCompany } from '../../../domain/catalogue/lookups/funnel-matching.ts';
import { lookupKey } from '../../../domain/catalogue/lookups/lookup-list.ts';
import type { Sql } from '../../db/database.ts';
import { LIST_OF_SECTION, SUB_SOURCES } from './section-tables.ts';

/** What a dataset may name, or clash with: names and ids of everything but the listings. */
export async function readKnownRecords(sql: Sql, companyName: string): Promise<KnownRecords> {
  const ids = new Map<RecordKind, Map<string, string>>();
  for (const [kind, query] of Object.entries(KEY_QUERIES)) {
    const rows = await sql.query<{ key: string; id: string }>(query);
    ids.set(kind as RecordKind, new Map(rows.map(({ key, id }) => [lookupKey(key), id])));
  }
  return {
    ids,
    parents: await readParents(sql),
    languages: await sql.query(
      `select key as code, name, aliases from list_entries where list = 'language'`,
    ),
    leadTypes: await sql.query(
      `select id, name, aliases from list_entries where list = 'leadType'`,
    ),
    funnels: await readFunnels(sql, companyName),
    agentSlugs: await readAgentSlugs(sql),
  };
}

const ofList = (list: string) => `select key, id from list_entries where list = '${list}'`;

const KEY_QUERIES: { readonly [Kind in SectionName | 'subSources']?: string } = {
  ...Object.fromEntries(
    Object.entries(LIST_OF_SECTION).map(([section, list]) => [section, ofList(list)]),
  ),
  subSources: ofList(SUB_SOURCES),
  funnels: `select key, id from funnels`,
  developers: `select slug as key, id from developers`,
  locations: `select key, id from locations`,
  agents: `select email as key, id from agents`,
  teams: `select name as key, id from teams`,
  projects: `select slug as key, id from projects`,
};

async function readParents(sql: Sql): Promise<Map<string, string | null>> {
  const rows = await sql.query<{ key: string; parent: string | null }>(
    `select l.key, p.key as parent
     from locations l left join locations p on p.id = l.parent_id`,
  );
  return new Map(rows.map(({ key, parent }) => [lookupKey(key), parent && lookupKey(parent)]));
}

/** A rule may name a funnel with `{company}` or with the company's own name. */
async function readFunnels(sql: Sql, companyName: string) {
  const rows = await sql.query<{ id: string; key: string; name: string }>(
    `select id, key, name from funnels`,
  );
  return rows.flatMap((funnel) => [funnel, withCompany(funnel, companyName)]);
}

/** Whose each slug is, by e-mail. */
async function readAgentSlugs(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql.query<{ slug: string; email: string }>(`select slug, email from agents`);
  return new Map(rows.map(({ slug, email }) => [slug, email]));
}
