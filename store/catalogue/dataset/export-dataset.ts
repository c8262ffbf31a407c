import {
  sectionNames,
  sections,
  type SectionName,
} from '../../../domain/catalogue/dataset/sections.ts';
import { SNAPSHOT, type Database, type Sql } from '../../db/database.ts';
import {
  exportSql,
  isListSection,
  LIST_OF_SECTION,
  SUB_SOURCES,
  type ListSection,
} from './section-tables.ts';
import { exportRules } from './sections/rules.ts';

export type WriteRecords = (section: SectionName, records: readonly unknown[]) => Promise<void>;

const BATCH_SIZE = 2000;

/**
 * The reference data of one moment as a dataset, in the order of the sections and in batches, so that
 * memory stays small. Sections that are empty are left out.
 */
export async function exportDataset(database: Database, write: WriteRecords): Promise<void> {
  await database.transaction(async (sql) => {
    for (const section of sectionNames) await exportSection(sql, section, write);
  }, SNAPSHOT);
}

async function exportSection(sql: Sql, section: SectionName, write: WriteRecords): Promise<void> {
  if (section === 'rules') {
    const rules = await exportRules(sql);
    return rules ? write(section, rules) : undefined;
  }
  const cursor = `export_${section}`;
  const records = isListSection(section) ? listSql(section) : EXPORT_SQL[section];
  await sql.query(`declare ${cursor} no scroll cursor for ${records}`);
  let rows: { record: unknown }[];
  do {
    rows = await sql.query(`fetch ${BATCH_SIZE} from ${cursor}`);
    const batch = rows.map(({ record }) => withoutNulls(record));
    if (batch.length > 0) await write(section, batch);
  } while (rows.length === BATCH_SIZE);
  await sql.query(`close ${cursor}`);
}

/** A null field means the same as one that is left out. */
function withoutNulls(record: unknown): unknown {
  if (typeof record !== 'object' || record === null) return record;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

/** Each section as records, one jsonb per row: the inverse of its writer. */
const EXPORT_SQL: Readonly<Record<Exclude<SectionName, ListSection | 'rules'>, string>> = {
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
