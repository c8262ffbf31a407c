import { naturalKey, subSourceKey } from '../../../domain/catalogue/dataset/record-ids.ts';
import type { Indexed } from '../../../domain/catalogue/dataset/sections.ts';
import type { Sql } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Row, WrittenTable } from '../../db/rows.ts';
import type { ImportContext, WriteSection } from './import-context.ts';
import { LIST_OF_SECTION, SUB_SOURCES, type ListSection } from './section-tables.ts';
import { countNested, noCounts, sum, upsert, writeRows, type Counts } from './upsert.ts';

const listEntries: WrittenTable = {
  name: 'list_entries',
  columns: ['id', 'list', 'key', 'name', 'aliases', 'parent_id', 'attributes', 'enabled'],
  key: ['id'],
  insertOnly: ['list', 'key'],
  flag: 'enabled',
};

/** The fields of the records of all lists; a field that a list does not have is left empty. */
interface ListRecord {
  name: string | null;
  domain?: string;
  aliases?: string[];
  color?: string | null;
  portal?: boolean;
  enabled: boolean;
}

export function writeList(
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

/**
 * Sub-sources come after their parents and are not counted. Those missing from their source are switched off.
 */
export const writeSources: WriteSection<'sources'> = async (context, records) => {
  const { ids } = context;
  const counts = await writeList(context, records, 'sources');
  const rows = records.flatMap(({ value: source }) =>
    source.subSources.map((name) => {
      const key = subSourceKey(source.name, name);
      const row = { id: ids.of('subSources', key), list: SUB_SOURCES, key, name, aliases: [] };
      return { ...row, parent_id: ids.of('sources', source.name), attributes: {}, enabled: true };
    }),
  );
  const sourceIds = records.map(({ value }) => ids.of('sources', value.name));
  const kept = rows.map(({ id }) => id);
  const removed = await context.sql.all(DISABLE_SUB_SOURCES, { sourceIds, kept });
  const uncounted = { ...context, onWritten: () => undefined };
  const written = await writeRows(uncounted, listEntries, rows, `list = '${SUB_SOURCES}'`);
  return sum([counts, written, { ...noCounts, disabled: removed.length }]);
};

const DISABLE_SUB_SOURCES = statement<Record<'sourceIds' | 'kept', string[]>, { id: string }>(
  'disable_sub_sources',
)`
update list_entries set enabled = false, updated_at = now()
where list = '${SUB_SOURCES}' and enabled and parent_id = any (:sourceIds::uuid[])
  and id <> all (:kept::uuid[]) returning id`;

const funnels: WrittenTable = {
  name: 'funnels',
  columns: ['id', 'key', 'name'],
  key: ['id'],
  insertOnly: ['key'],
};
const stages: WrittenTable = {
  name: 'funnel_stages',
  columns: ['id', 'funnel_id', 'position', 'name'],
  key: ['funnel_id', 'name'],
  insertOnly: ['id'],
};

const DEFAULT_STAGES = ['New', 'Contacted', 'Qualified', 'Closed'];

export const writeFunnels: WriteSection<'funnels'> = async (context, records) => {
  const counts: Counts[] = [];
  for (const { value: funnel } of records) {
    const id = context.ids.of('funnels', funnel.key);
    const row = { id, key: funnel.key, name: funnel.name };
    const written = await upsert(context.sql, funnels, [row], context.onWritten);
    counts.push(countNested(written, await writeStages(context, id, funnel.stages ?? null)));
  }
  return sum(counts);
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
  const { created, updated } = await upsert(sql, stages, rows);
  return created + updated > 0;
}

/** Stages that the file leaves out go behind the others, since leads may be in them. */
async function orderStages(sql: Sql, funnelId: string, given: readonly string[] | null) {
  const present = (await sql.all(READ_STAGES, { funnelId })).map(({ name }) => name);
  if (given === null) return present.length > 0 ? present : DEFAULT_STAGES;
  return [...new Set([...given, ...present])];
}

const READ_STAGES = statement<{ funnelId: string }, { name: string }>('read_stages')`
select name from funnel_stages where funnel_id = :funnelId order by position, name`;
