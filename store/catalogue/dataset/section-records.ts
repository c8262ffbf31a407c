import {
  sections,
  type SectionName,
  type StoredRecord,
} from '../../../domain/catalogue/dataset/sections.ts';
import { simplifyHours, type WorkingHours } from '../../../domain/routing/working-hours.ts';
import type { Sql } from '../../db/database.ts';
import {
  exportSql,
  isListSection,
  LIST_OF_SECTION,
  SUB_SOURCES,
  type ListSection,
} from './section-tables.ts';
import { exportRules } from './sections/active-rules.ts';

const BATCH_SIZE = 2000;

/**
 * The stored records of a section as a dataset has them, in batches, so that memory stays small. To be read to
 * the end within a transaction.
 */
export async function* readRecords(
  sql: Sql,
  section: SectionName,
): AsyncGenerator<readonly StoredRecord[]> {
  if (section === 'rules') {
    const rules = await exportRules(sql);
    if (rules) yield rules;
    return;
  }
  const cursor = `records_${section}`;
  await sql.query(`declare ${cursor} no scroll cursor for ${recordsSql(section)}`);
  let rows: { record: StoredRecord }[];
  do {
    rows = await sql.query(`fetch ${BATCH_SIZE} from ${cursor}`);
    if (rows.length > 0) yield rows.map(({ record }) => toRecord(record));
  } while (rows.length === BATCH_SIZE);
  await sql.query(`close ${cursor}`);
}

/** The stored listings with these ids, by id. */
export async function readListings(
  sql: Sql,
  ids: readonly string[],
): Promise<Map<string, StoredRecord>> {
  const rows = await sql.query<{ record: { id: string } }>(
    exportSql('listings', 't.id', 't.id = any(:ids::uuid[])'),
    { ids },
  );
  return new Map(rows.map(({ record }) => [record.id, toRecord(record)]));
}

/** A null field means the same as one that is not set. Hours may be stored in an older form. */
function toRecord(stored: StoredRecord): StoredRecord {
  if (typeof stored === 'string') return stored;
  const record = Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== null));
  const hours = record.workingHours as WorkingHours | undefined;
  return hours ? { ...record, workingHours: simplifyHours(hours) } : record;
}

function recordsSql(section: Exclude<SectionName, 'rules'>): string {
  return isListSection(section) ? listSql(section) : RECORDS_SQL[section];
}

/** Each section as records, one jsonb per row: the inverse of its writer. */
const RECORDS_SQL: Readonly<Record<Exclude<SectionName, ListSection | 'rules'>, string>> = {
  funnels: `
    select jsonb_build_object('key', f.key, 'name', f.name,
      'stages', array(select s.name from funnel_stages s where s.funnel_id = f.id
        order by s.position, s.name)) as record
    from funnels f where exists (select from funnel_stages s where s.funnel_id = f.id) order by f.key`,
  developers: exportSql('developers', 't.slug'),
  locations: exportSql('locations', 't.path, t.key'),
  agents: exportSql('agents', 't.email'),
  teams: `
    select jsonb_build_object('name', t.name, 'members', coalesce((
      select jsonb_agg(jsonb_build_object('agent', a.email, 'weight', m.weight) order by m.position)
      from team_members m join agents a on a.id = m.agent_id where m.team_id = t.id), '[]')) as record
    from teams t order by t.name`,
  absences: exportSql('absences', 'agent.email, t.starts, t.ends'),
  datedHours: exportSql('datedHours', 'agent.email, t.starts, t.ends'),
  holidays: exportSql('holidays', 't.starts, t.name, t.ends'),
  projects: exportSql('projects', 't.slug'),
  listings: exportSql('listings', 't.reference_no, t.id'),
  quizFields: exportSql('quizFields', 't.quiz_key, t.question_key'),
  knownAgents: `select jsonb_build_object(kind, value) as record from known_agents order by kind, value`,
  competitorDomains: `select to_jsonb(domain) as record from competitor_domains order by domain`,
};

/** The fields of the records of all lists. */
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
