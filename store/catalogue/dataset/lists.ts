import { naturalKey, subSourceKey } from '../../../domain/catalogue/dataset/record-ids.ts';
import { sections, type Indexed } from '../../../domain/catalogue/dataset/sections.ts';
import type { Sql } from '../../db/database.ts';
import type { Row } from '../../db/insert-rows.ts';
import { Funnel, FunnelStage, ListEntry } from '../../tables/lists.ts';
import type { ImportContext, StoredSection } from './import-context.ts';
import { LIST_OF_SECTION, SUB_SOURCES, type ListSection } from './section-tables.ts';
import {
  countNested,
  noCounts,
  sum,
  upsert,
  upsertTable,
  writeRows,
  type Counts,
} from './upsert.ts';

const listEntries = upsertTable(ListEntry, { flag: 'enabled', insertOnly: ['list', 'key'] });

/** The fields of the records of all lists; a field that a list does not have is left empty. */
interface ListRecord {
  name: string | null;
  domain?: string;
  aliases?: string[];
  color?: string | null;
  portal?: boolean;
  enabled: boolean;
}

function writeList(
  context: ImportContext,
  records: readonly Indexed<ListRecord>[],
  section: ListSection,
): Promise<Counts> {
  const rows = records.map(({ value }) => listRow(context, section, value));
  return writeRows(context, listEntries, rows, `list = '${LIST_OF_SECTION[section]}'`);
}

function listRow({ ids }: ImportContext, section: ListSection, record: ListRecord): Row {
  const key = naturalKey(section, record);
  const { name, domain, aliases = [], color, portal, enabled } = record;
  const attributes = { ...(color ? { color } : {}), ...(portal ? { portal } : {}) };
  const list = LIST_OF_SECTION[section];
  return {
    id: ids.of(section, key),
    list,
    key,
    name: name ?? domain,
    aliases,
    attributes,
    enabled,
  };
}

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

/** Every list, the sources without their sub-sources. */
export const lists = Object.fromEntries(
  Object.keys(LIST_OF_SECTION).map((section) => {
    return [section, { write: writeList, records: listSql(section as ListSection) }];
  }),
) as Readonly<Record<ListSection, { write: typeof writeList; records: string }>>;

/**
 * Sub-sources are written after all sources, which are their parents, and not counted as progress. Those that
 * the list of their source does not have any more are switched off.
 */
export const sources: StoredSection<'sources'> = {
  async write(context, records) {
    const { ids, sql } = context;
    const counts = await writeList(context, records, 'sources');
    const rows = records.flatMap(({ value: source }) =>
      source.subSources.map((name) => {
        const key = subSourceKey(source.name, name);
        const row = { id: ids.of('subSources', key), list: SUB_SOURCES, key, name, aliases: [] };
        return { ...row, parent_id: ids.of('sources', source.name), attributes: {}, enabled: true };
      }),
    );
    const removed = await sql.query(
      `update list_entries set enabled = false, updated_at = now()
       where list = :list and enabled and parent_id = any(:sourceIds::uuid[]) and id <> all(:kept::uuid[])
       returning id`,
      {
        list: SUB_SOURCES,
        sourceIds: records.map(({ value }) => ids.of('sources', value.name)),
        kept: rows.map(({ id }) => id),
      },
    );
    const uncounted = { ...context, onWritten: () => undefined };
    const written = await writeRows(uncounted, listEntries, rows, `list = '${SUB_SOURCES}'`);
    return sum([counts, written, { ...noCounts, disabled: removed.length }]);
  },
  records: listSql('sources'),
};

const funnelTable = upsertTable(Funnel, { insertOnly: ['key'] });
const stageTable = upsertTable(FunnelStage, { key: ['funnel_id', 'name'], insertOnly: ['id'] });

const DEFAULT_STAGES = ['New', 'Contacted', 'Qualified', 'Closed'];

export const funnels: StoredSection<'funnels'> = {
  async write(context, records) {
    const counts: Counts[] = [];
    for (const { value: funnel } of records) {
      const id = context.ids.of('funnels', funnel.key);
      const row = { id, key: funnel.key, name: funnel.name };
      const written = await upsert(context.sql, funnelTable, [row], context.onWritten);
      counts.push(countNested(written, await writeStages(context, id, funnel.stages ?? null)));
    }
    return sum(counts);
  },
  records: `
    select jsonb_build_object('key', f.key, 'name', f.name,
      'stages', array(select s.name from funnel_stages s where s.funnel_id = f.id
        order by s.position, s.name)) as record
    from funnels f where exists (select from funnel_stages s where s.funnel_id = f.id) order by f.key`,
};

async function writeStages(
  { sql, newId }: ImportContext,
  funnelId: string,
  given: readonly string[] | null,
): Promise<boolean> {
  const names = await orderStages(sql, funnelId, given);
  const rows = names.map((name, at) => ({
    id: newId(),
    funnel_id: funnelId,
    name,
    position: at + 1,
  }));
  const { created, updated } = await upsert(sql, stageTable, rows);
  return created + updated > 0;
}

/** Stages that the file leaves out go behind the others, since leads may be in them. */
async function orderStages(
  sql: Sql,
  funnelId: string,
  given: readonly string[] | null,
): Promise<string[]> {
  const query = sql.tables
    .selectFrom('funnel_stages')
    .select('name')
    .where('funnel_id', '=', funnelId)
    .orderBy('position')
    .orderBy('name');
  const present = (await sql.run(query)).map(({ name }) => name);
  if (given === null) return present.length > 0 ? present : DEFAULT_STAGES;
  return [...new Set([...given, ...present])];
}
