import { sectionNames, type SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { Database, Sql } from '../../db/database.ts';
import { exportSql, LIST_OF_SECTION, SUB_SOURCES, type ListSection } from './section-tables.ts';
import { exportRules } from './sections/rules.ts';

export type WriteRecords = (section: SectionName, records: readonly unknown[]) => Promise<void>;

const BATCH_SIZE = 2000;

/**
 * The reference data of one moment as a dataset, in the order of the sections and in batches, so that
 * memory stays small. Sections that are empty are left out.
 */
export async function exportDataset(database: Database, write: WriteRecords): Promise<void> {
  await database.transaction(
    async (sql) => {
      for (const section of sectionNames) await exportSection(sql, section, write);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

async function exportSection(sql: Sql, section: SectionName, write: WriteRecords): Promise<void> {
  if (section === 'rules') {
    const rules = await exportRules(sql);
    return rules ? write(section, rules) : undefined;
  }
  const cursor = `export_${section}`;
  await sql.query(`declare ${cursor} no scroll cursor for ${EXPORT_SQL[section]}`);
  let records: unknown[];
  do {
    const rows = await sql.query<{ record: unknown }>(`fetch ${BATCH_SIZE} from ${cursor}`);
    records = rows.map(({ record }) => withoutNulls(record));
    if (records.length > 0) await write(section, records);
  } while (records.length === BATCH_SIZE);
  await sql.query(`close ${cursor}`);
}

/** A null field means the same as one that is left out. */
function withoutNulls(record: unknown): unknown {
  if (typeof record !== 'object' || record === null) return record;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

/** Each section as records, one jsonb per row: the inverse of its writer. */
const EXPORT_SQL: Readonly<Record<Exclude<SectionName, 'rules'>, string>> = {
  propertyTypes: listSql('propertyTypes', ''),
  projectStatuses: listSql('projectStatuses', `'id', e.id, 'color', e.attributes ->> 'color',`),
  sources: listSql(
    'sources',
    `'portal', coalesce((e.attributes ->> 'portal')::boolean, false),
     'subSources', array(select s.name from list_entries s
       where s.list = '${SUB_SOURCES}' and s.parent_id = e.id and s.enabled order by s.key),`,
  ),
  campaigns: listSql('campaigns', ''),
  marketingTypes: listSql('marketingTypes', ''),
  eventTypes: listSql('eventTypes', ''),
  websites: listSql('websites', `'domain', e.key,`),
  leadTypes: listSql('leadTypes', `'aliases', e.aliases,`),
  languages: listSql('languages', `'code', e.key, 'aliases', e.aliases,`),
  pools: listSql('pools', ''),
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
  projects: exportSql('projects', 't.slug'),
  listings: exportSql('listings', 't.reference_no, t.id'),
  quizFields: `
    select jsonb_build_object('quizKey', quiz_key, 'questionKey', question_key, 'field', field) as record
    from quiz_fields order by quiz_key, question_key`,
  knownAgents: `select jsonb_build_object(kind, value) as record from known_agents order by kind, value`,
  competitorDomains: `select to_jsonb(domain) as record from competitor_domains order by domain`,
};

function listSql(section: ListSection, fields: string): string {
  return `
    select jsonb_build_object('name', e.name, ${fields} 'enabled', e.enabled) as record
    from list_entries e where e.list = '${LIST_OF_SECTION[section]}' order by e.key`;
}
