import {
  naturalKey,
  type RecordIds,
  type RecordKind,
} from '../../../domain/catalogue/dataset/record-ids.ts';
import {
  referencesOf,
  sections,
  type SectionName,
  type StoredRecord,
} from '../../../domain/catalogue/dataset/sections.ts';
import { simplifyHours, type WorkingHours } from '../../../domain/routing/working-hours.ts';
import type { Sql } from '../../db/database.ts';
import { snakeCase, type Row, type WrittenTable } from '../../db/rows.ts';
import { statement, type NoParams } from '../../db/statement.ts';

/** Sections that are rows of `list_entries`, under the names of their lists. */
export const LIST_OF_SECTION = {
  propertyTypes: 'propertyType',
  projectStatuses: 'projectStatus',
  sources: 'source',
  campaigns: 'campaign',
  marketingTypes: 'marketingType',
  eventTypes: 'eventType',
  websites: 'website',
  leadTypes: 'leadType',
  languages: 'language',
  pools: 'pool',
} as const satisfies { readonly [Name in SectionName]?: string };

export type ListSection = keyof typeof LIST_OF_SECTION;

const isListSection = (section: SectionName): section is ListSection => section in LIST_OF_SECTION;

/** Sub-sources have no section of their own: they come with their source, which is their parent. */
export const SUB_SOURCES = 'subSource';

interface OwnTable extends Pick<WrittenTable, 'name' | 'flag' | 'insertOnly'> {
  orderBy: string;
  isReplaced?: true;
}

const OWN_TABLES = {
  developers: { name: 'developers', orderBy: 't.slug', flag: 'enabled', insertOnly: ['slug'] },
  locations: {
    name: 'locations',
    orderBy: 't.path, t.key',
    flag: 'enabled',
    insertOnly: ['key', 'path', 'ancestor_ids'],
  },
  agents: { name: 'agents', orderBy: 't.email', flag: 'active', insertOnly: ['email'] },
  absences: { name: 'agent_absences', orderBy: 'agent.email, t.starts, t.ends', isReplaced: true },
  datedHours: {
    name: 'agent_dated_hours',
    orderBy: 'agent.email, t.starts, t.ends',
    isReplaced: true,
  },
  holidays: { name: 'holidays', orderBy: 't.starts, t.name, t.ends', isReplaced: true },
  projects: { name: 'projects', orderBy: 't.slug', flag: 'published', insertOnly: ['slug'] },
  listings: { name: 'listings', orderBy: 't.reference_no, t.id', flag: 'enabled' },
  quizFields: { name: 'quiz_fields', orderBy: 't.quiz_key, t.question_key' },
} satisfies { [Name in SectionName]?: OwnTable };

export type TableSection = keyof typeof OWN_TABLES;

const isTableSection = (section: SectionName): section is TableSection => section in OWN_TABLES;

/** What an operator enters while the import runs waits; otherwise the import would remove it. */
export async function lockReplaced(sql: Sql, section: string): Promise<void> {
  if (section === 'absences') await sql.all(LOCK_ABSENCES, {});
  if (section === 'datedHours') await sql.all(LOCK_DATED_HOURS, {});
}

const LOCK_ABSENCES = statement('lock_absences')`
lock table agent_absences in share row exclusive mode`;

const LOCK_DATED_HOURS = statement('lock_dated_hours')`
lock table agent_dated_hours in share row exclusive mode`;

type SectionTable = ReturnType<typeof sectionTable>;

/** The table of a section, to be written. Its rows are matched by their ids, or by their natural keys where they have none. */
export function sectionTable(section: TableSection) {
  const fields = fieldsOf(section);
  const table: OwnTable = OWN_TABLES[section];
  const columns = fields.map(({ column }) => column);
  const isKey = ({ field }: { field: string }) => sections[section].key.includes(field);
  const naturalKey = fields.filter(isKey).map(({ column }) => column);
  return {
    ...table,
    section,
    fields,
    columns: [...new Set([...columns, ...(table.insertOnly ?? [])])],
    key: columns.includes('id') ? ['id'] : naturalKey,
  };
}

/** `logoUrl` is `logo_url`, `developer` the id of a developer, which is a record of the section `to`. */
function fieldsOf(section: TableSection) {
  const references = new Map(referencesOf(section));
  return Object.keys(sections[section].schema.shape).map((field) => {
    const to = references.get(field);
    return { field, to, column: to ? referenceColumn(field) : columnOf(field) };
  });
}

/** `from` and `to` are words of SQL. */
const columnOf = (field: string) => ({ from: 'starts', to: 'ends' })[field] ?? snakeCase(field);

const LIST_COLUMNS: Readonly<Record<string, string>> = {
  locations: 'location_ids',
  propertyTypes: 'property_type_ids',
};

function referenceColumn(field: string): string {
  return LIST_COLUMNS[field] ?? `${snakeCase(field)}_id`;
}

export function toRow({ section, fields }: SectionTable, record: object, ids: RecordIds): Row {
  const values = record as Row;
  const columns = fields.map(({ field, column, to }) => {
    return [column, to ? idsOf(values[field], to, ids) : values[field]];
  });
  return { ...Object.fromEntries(columns), id: ids.find(section, naturalKey(section, record)) };
}

function idsOf(named: unknown, to: SectionName, ids: RecordIds): unknown {
  if (Array.isArray(named)) return named.map((name: string) => ids.of(to, name));
  return named === null ? null : ids.of(to, named as string);
}

/** Decimals are exported as texts, since JSON numbers would round them. */
const DECIMAL_COLUMNS = new Set(['price', 'starting_price']);

/** The rows of a section's own table as records, one jsonb each: the inverse of `toRow`. */
export function tableSql(section: TableSection, where = 'true'): string {
  const { name, orderBy } = OWN_TABLES[section];
  const fields = fieldsOf(section);
  const pairs = fields.map((each) => `'${each.field}', ${valueSql(each)}`);
  const joins = fields.map(({ field, column, to }) =>
    to && !LIST_COLUMNS[field]
      ? `left join ${tableOf(to)} ${field} on ${field}.id = t.${column}`
      : '',
  );
  return `select jsonb_build_object(${pairs.join(', ')}) as record
    from ${name} t ${joins.join(' ')} where ${where} order by ${orderBy}`;
}

function valueSql({ field, column, to }: ReturnType<typeof fieldsOf>[number]): string {
  if (!to) return DECIMAL_COLUMNS.has(column) ? `t.${column}::text` : `t.${column}`;
  const key = sections[to].key[0];
  if (!LIST_COLUMNS[field]) return `${field}.${key}`;
  return `array(select k.${key} from unnest(t.${column}) with ordinality as i (id, at)
    join ${tableOf(to)} k on k.id = i.id order by i.at)`;
}

function tableOf(section: SectionName): string {
  return isListSection(section) ? 'list_entries' : section;
}

const LIST_FIELDS_SQL: Readonly<Record<string, string>> = {
  name: 'e.name',
  domain: 'e.key',
  code: 'e.key',
  aliases: 'e.aliases',
  color: `e.attributes ->> 'color'`,
  portal: `coalesce((e.attributes ->> 'portal')::boolean, false)`,
  subSources: `array(select s.name from list_entries s
    where s.list = '${SUB_SOURCES}' and s.parent_id = e.id and s.enabled order by s.key)`,
  enabled: 'e.enabled',
};

function listSql(section: ListSection): string {
  const pairs = Object.keys(sections[section].schema.shape).flatMap((field) =>
    field in LIST_FIELDS_SQL ? [`'${field}', ${LIST_FIELDS_SQL[field]}`] : [],
  );
  if (section === 'projectStatuses') pairs.push(`'id', e.id`);
  return `select jsonb_build_object(${pairs.join(', ')}) as record
    from list_entries e where e.list = '${LIST_OF_SECTION[section]}' order by e.key`;
}

/** The records of sections that are more or less than the rows of a table. Rules are stored as one ruleset. */
const OTHERS_SQL: Readonly<
  Record<Exclude<SectionName, ListSection | TableSection>, string | null>
> = {
  funnels: `
    select jsonb_build_object('key', f.key, 'name', f.name,
      'stages', array(select s.name from funnel_stages s where s.funnel_id = f.id
        order by s.position, s.name)) as record
    from funnels f where exists (select from funnel_stages s where s.funnel_id = f.id) order by f.key`,
  teams: `
    select jsonb_build_object('name', t.name, 'members', coalesce((
      select jsonb_agg(jsonb_build_object('agent', a.email, 'weight', m.weight) order by m.position)
      from team_members m join agents a on a.id = m.agent_id where m.team_id = t.id), '[]')) as record
    from teams t order by t.name`,
  knownAgents: `select jsonb_build_object(kind, value) as record from known_agents order by kind, value`,
  competitorDomains: `select to_jsonb(domain) as record from competitor_domains order by domain`,
  rules: null,
};

/** The query of a section's records as a file has them, one jsonb `record` a row. Null for rules. */
export function recordsSql(section: SectionName): string | null {
  if (isListSection(section)) return listSql(section);
  return isTableSection(section) ? tableSql(section) : OTHERS_SQL[section];
}

/** A null field means the same as one that is not set. Hours may be stored in an older form. */
export function toRecord(stored: StoredRecord): StoredRecord {
  if (typeof stored === 'string') return stored;
  const record = Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== null));
  const hours = record.workingHours as WorkingHours | undefined;
  return hours ? { ...record, workingHours: simplifyHours(hours) } : record;
}

const FETCHED_ROWS = 2000;

/** The records of a query in batches; to be read to the end within a transaction. */
export async function* readByCursor(sql: Sql, cursor: string, records: string) {
  await sql.query(`declare ${cursor} no scroll cursor for ${records}`);
  let rows: { record: StoredRecord }[];
  do {
    rows = await sql.query(`fetch ${FETCHED_ROWS} from ${cursor}`);
    if (rows.length > 0) yield rows.map(({ record }) => toRecord(record));
  } while (rows.length === FETCHED_ROWS);
  await sql.query(`close ${cursor}`);
}

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
const KEYED_TABLES = ['funnels', 'developers', 'locations', 'agents', 'teams', 'projects'] as const;

const READ_RECORD_KEYS = statement<NoParams, RecordKey>('read_record_keys')`${[
  ...Object.entries({ ...LIST_OF_SECTION, subSources: SUB_SOURCES }).map(
    ([kind, list]) => `
      select '${kind}' as kind, e.key, concat(p.name || '/', e.name) as name, e.id
      from list_entries e left join list_entries p on p.id = e.parent_id where e.list = '${list}'`,
  ),
  ...KEYED_TABLES.map((section) => {
    const [key] = sections[section].key;
    return `select '${section}' as kind, ${key} as key, ${key} as name, id from ${section}`;
  }),
].join(' union all ')}`;
