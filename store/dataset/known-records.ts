import type { AliasedEntry } from '../../domain/catalogue/lookups/crm-lists.ts';
import { withCompany } from '../../domain/catalogue/lookups/funnel-matching.ts';
import { lookupKey } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { LanguageNames } from '../../domain/catalogue/lookups/standard-lists.ts';
import type { Sql } from '../db/database.ts';
import { statement, type NoParams } from '../db/statement.ts';
import { LIST_OF_SECTION } from './lists.ts';
import type { RecordKind } from './record-ids.ts';

export interface KnownRecords {
  ids: readonly { kind: RecordKind; key: string; id: string }[];
  /** Keys of locations to keys of their parents. */
  parents: ReadonlyMap<string, string | null>;
  placeNames: readonly (readonly [name: string, key: string])[];
  languages: readonly LanguageNames[];
  leadTypes: readonly AliasedEntry[];
  /** Both with `{company}` and with the company's own name, by which a rule may refer to them. */
  funnels: readonly { id: string; key: string; name: string }[];
  /** Slugs to emails. */
  agentSlugs: ReadonlyMap<string, string>;
}

export async function readKnownRecords(sql: Sql, companyName: string): Promise<KnownRecords> {
  const places = await sql.all(READ_LOCATION_KEYS, {});
  const aliased = await sql.all(READ_ALIASED_ENTRIES, {});
  const funnels = await sql.all(READ_FUNNEL_NAMES, {});
  const agents = await sql.all(READ_AGENT_SLUGS, {});
  return {
    ids: await readKeys(sql),
    parents: new Map(
      places.map(({ key, parent }) => [lookupKey(key), parent && lookupKey(parent)]),
    ),
    placeNames: places.flatMap(({ key, names }) =>
      names.map((name) => [name, lookupKey(key)] as const),
    ),
    languages: aliased.filter(({ list }) => list === 'language'),
    leadTypes: aliased.filter(({ list }) => list === 'leadType'),
    funnels: funnels.flatMap((funnel) => [funnel, withCompany(funnel, companyName)]),
    agentSlugs: new Map(agents.map(({ slug, email }) => [slug, email])),
  };
}

const READ_AGENT_SLUGS = statement<NoParams, { slug: string; email: string }>('read_agent_slugs')`
select slug, email from agents`;

type ListedEntry = AliasedEntry & { list: string; code: string };

const READ_ALIASED_ENTRIES = statement<NoParams, ListedEntry>('read_aliased_entries')`
select list, id, key as code, name, aliases from list_entries where list in ('language', 'leadType')`;

interface LocationNames {
  key: string;
  names: string[];
  parent: string | null;
}

const READ_LOCATION_KEYS = statement<NoParams, LocationNames>('read_location_keys')`
select l.key, array_remove(array[l.name, l.name_ar], null) as names, p.key as parent
from locations l left join locations p on p.id = l.parent_id`;

const READ_FUNNEL_NAMES = statement<NoParams, { id: string; key: string; name: string }>(
  'read_funnel_names',
)`
select id, key, name from funnels`;

/** The ids of all records but the listings, with their keys, and with the names by which rules refer to them. */
export function readKeys(sql: Sql) {
  return sql.all(READ_RECORD_KEYS, {});
}

interface RecordKey {
  kind: RecordKind;
  key: string;
  name: string;
  id: string;
}

/** Sections whose names and key fields are those of their tables. */
const KEYED_TABLES = [
  ['funnels', 'key'],
  ['developers', 'slug'],
  ['locations', 'key'],
  ['agents', 'email'],
  ['teams', 'name'],
  ['projects', 'slug'],
] as const;

const READ_RECORD_KEYS = statement<NoParams, RecordKey>('read_record_keys')`${[
  ...Object.entries({ ...LIST_OF_SECTION, subSources: 'subSource' }).map(
    ([kind, list]) => `
      select '${kind}' as kind, e.key, concat(p.name || '/', e.name) as name, e.id
      from list_entries e left join list_entries p on p.id = e.parent_id where e.list = '${list}'`,
  ),
  ...KEYED_TABLES.map(
    ([table, key]) => `select '${table}' as kind, ${key} as key, ${key} as name, id from ${table}`,
  ),
].join(' union all ')}`;
