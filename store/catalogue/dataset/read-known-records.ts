import type { KnownRecords, RecordKind } from '../../../domain/catalogue/dataset/record-ids.ts';
import { sections } from '../../../domain/catalogue/dataset/sections.ts';
import { withCompany } from '../../../domain/catalogue/lookups/crm-lists.ts';
import { lookupKey } from '../../../domain/catalogue/lookups/lookup-list.ts';
import type { Sql } from '../../db/database.ts';
import { LIST_OF_SECTION, SUB_SOURCES } from './section-tables.ts';

/** What a dataset may refer to or conflict with: keys and ids of all records but the listings. */
export async function readKnownRecords(sql: Sql, companyName: string): Promise<KnownRecords> {
  const { tables } = sql;
  const leadTypes = tables.selectFrom('list_entries').where('list', '=', 'leadType');
  const languages = tables.selectFrom('list_entries').where('list', '=', 'language');
  const slugs = await sql.run(tables.selectFrom('agents').select(['slug', 'email']));
  return {
    ids: await readIds(sql),
    ...(await readPlaces(sql)),
    languages: await sql.run(languages.select(['key as code', 'name', 'aliases'])),
    leadTypes: await sql.run(leadTypes.select(['id', 'name', 'aliases'])),
    funnels: await readFunnels(sql, companyName),
    agentSlugs: new Map(slugs.map(({ slug, email }) => [slug, email])),
  };
}

async function readIds(sql: Sql): Promise<Map<RecordKind, Map<string, string>>> {
  const ids = new Map(RECORD_KINDS.map((kind) => [kind, new Map<string, string>()]));
  const rows = await sql.query<{ kind: RecordKind; key: string; id: string }>(KEYS_SQL);
  for (const { kind, key, id } of rows) ids.get(kind)?.set(lookupKey(key), id);
  return ids;
}

/** Sections whose names and key fields are those of their tables. */
const OWN_TABLES = ['funnels', 'developers', 'locations', 'agents', 'teams', 'projects'] as const;

const LIST_OF_KIND = { ...LIST_OF_SECTION, subSources: SUB_SOURCES };
const RECORD_KINDS = [...Object.keys(LIST_OF_KIND), ...OWN_TABLES] as RecordKind[];

const KEYS_SQL = [
  ...Object.entries(LIST_OF_KIND).map(
    ([kind, list]) => `select '${kind}' as kind, key, id from list_entries where list = '${list}'`,
  ),
  ...OWN_TABLES.map(
    (section) =>
      `select '${section}' as kind, ${sections[section].key[0]} as key, id from ${section}`,
  ),
].join(' union all ');

async function readPlaces(sql: Sql): Promise<Pick<KnownRecords, 'parents' | 'placeNames'>> {
  const query = sql.tables
    .selectFrom('locations as l')
    .leftJoin('locations as p', 'p.id', 'l.parent_id')
    .select(['l.key', 'l.name', 'l.name_ar as nameAr', 'p.key as parent']);
  const rows = await sql.run(query);
  return {
    parents: new Map(rows.map(({ key, parent }) => [lookupKey(key), parent && lookupKey(parent)])),
    placeNames: rows.flatMap(({ key, name, nameAr }) =>
      [name, nameAr].flatMap((each) => (each === null ? [] : [[each, lookupKey(key)] as const])),
    ),
  };
}

/** A rule may name a funnel with `{company}` or with the company's own name. */
async function readFunnels(sql: Sql, companyName: string) {
  const funnels = await sql.run(sql.tables.selectFrom('funnels').select(['id', 'key', 'name']));
  return funnels.flatMap((funnel) => [funnel, withCompany(funnel, companyName)]);
}
