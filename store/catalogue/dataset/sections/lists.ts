import { naturalKey, subSourceKey } from '../../../../domain/catalogue/dataset/record-ids.ts';
import type { Indexed } from '../../../../domain/catalogue/dataset/sections.ts';
import type { Row } from '../../../db/insert-rows.ts';
import { ListEntry } from '../../../tables/lists.ts';
import { LIST_OF_SECTION, SUB_SOURCES, type ListSection } from '../section-tables.ts';
import { noCounts, sum, upsertTable, type Counts } from '../upsert.ts';
import { writeRows, type ImportContext, type WriteSection } from '../write-rows.ts';

const table = upsertTable(ListEntry, { flag: 'enabled', insertOnly: ['list', 'key'] });

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
  return writeRows(context, table, rows, `list = '${LIST_OF_SECTION[section]}'`);
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
 * Sub-sources are written after all sources, which are their parents, and not counted as progress. Those that
 * the list of their source does not have any more are switched off.
 */
export const writeSources: WriteSection<'sources'> = async (context, sources) => {
  const { ids, sql } = context;
  const counts = await writeList(context, sources, 'sources');
  const rows = sources.flatMap(({ value: source }) =>
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
      sourceIds: sources.map(({ value }) => ids.of('sources', value.name)),
      kept: rows.map(({ id }) => id),
    },
  );
  const uncounted = { ...context, onWritten: () => undefined };
  const written = await writeRows(uncounted, table, rows, `list = '${SUB_SOURCES}'`);
  return sum([counts, written, { ...noCounts, disabled: removed.length }]);
};
