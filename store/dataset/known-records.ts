import { withCompany } from '../../domain/catalogue/lookups/funnel-matching.ts';
import type { Sql } from '../db/database.ts';
import { statement, type NoParams } from '../db/statement.ts';
import { LIST_OF_SECTION } from './lists.ts';
import type { KnownRecord, RecordKind, SectionName } from './record-ids.ts';

export interface KnownRecords {
  records: readonly KnownRecord[];
  /** Slugs to emails. */
  agentSlugs: ReadonlyMap<string, string>;
}

export async function readKnownRecords(sql: Sql, companyName: string): Promise<KnownRecords> {
  const agents = await sql.all(READ_AGENT_SLUGS, {});
  return {
    records: (await readRecordKeys(sql)).map((record) => withCompanyNames(record, companyName)),
    agentSlugs: new Map(agents.map(({ slug, email }) => [slug, email])),
  };
}

/** A rule may refer to a funnel both with `{company}` and with the company's own name. */
function withCompanyNames(record: KnownRecord, companyName: string): KnownRecord {
  if (record.kind !== 'funnels') return record;
  const own = record.names.map((name) => withCompany({ key: record.key, name }, companyName));
  return { ...record, names: [...record.names, ...own.flatMap(({ key, name }) => [name, key])] };
}

const READ_AGENT_SLUGS = statement<NoParams, { slug: string; email: string }>('read_agent_slugs')`
select slug, email from agents`;

/** The names of all records but the listings by which rules refer to them, by id. */
export async function readNames(sql: Sql): Promise<Map<string, string>> {
  return new Map((await readRecordKeys(sql)).map(({ id, name }) => [id, name]));
}

const KINDS_BY_LIST = new Map<string, RecordKind>([
  ['subSource', 'subSources'],
  ...Object.entries(LIST_OF_SECTION).map(
    ([section, list]) => [list, section as SectionName] as const,
  ),
]);

async function readRecordKeys(sql: Sql): Promise<NamedRecord[]> {
  const records = await sql.all(READ_RECORD_KEYS, {});
  return records.map((record) => ({
    ...record,
    kind: KINDS_BY_LIST.get(record.kind) ?? record.kind,
  }));
}

type NamedRecord = KnownRecord & { name: string };

const READ_RECORD_KEYS = statement<NoParams, NamedRecord>('read_record_keys')`
select e.list as kind, e.key, concat(p.name || '/', e.name) as name, e.id,
  e.name || e.aliases as names, null as parent
from list_entries e left join list_entries p on p.id = e.parent_id
union all select 'funnels', key, key, id, array[name], null from funnels
union all select 'developers', slug, slug, id, '{}', null from developers
union all select 'agents', email, email, id, '{}', null from agents
union all select 'teams', name, name, id, '{}', null from teams
union all select 'projects', slug, slug, id, '{}', null from projects
union all select 'locations', l.key, l.key, l.id, array_remove(array[l.name, l.name_ar], null), p.key
from locations l left join locations p on p.id = l.parent_id`;
