import type { Indexed, RecordOf } from '../../../../domain/catalogue/dataset/sections.ts';
import { naturalKey, subSourceKey } from '../../../../domain/catalogue/dataset/record-ids.ts';
import { disableMissing } from '../disable-missing.ts';
import type { ImportContext } from '../import-context.ts';
import { LIST_OF_SECTION, SUB_SOURCES } from '../list-names.ts';
import type { ListSection } from '../list-names.ts';
import { upsert } from '../upsert.ts';
import type { Counts, UpsertTable } from '../upsert.ts';

const table: UpsertTable = {
  name: 'list_entries',
  columns: ['id', 'list', 'key', 'name', 'aliases', 'parent_id', 'attributes', 'enabled'],
  insertOnly: ['list', 'key'],
  hasUpdatedAt: true,
};

/** The fields that the records of the various lists have; what a list lacks is left empty. */
interface ListRecord {
  name: string | null;
  domain?: string;
  aliases?: string[];
  color?: string | null;
  portal?: boolean;
  enabled: boolean;
}

export async function writeList<Section extends ListSection>(
  context: ImportContext,
  section: Section,
  records: readonly Indexed<RecordOf<Section>>[],
): Promise<Counts> {
  const list = LIST_OF_SECTION[section];
  const rows = records.map(({ value }) => listRow(context, section, value));
  const counts = await upsert(context.sql, table, rows, context.onWritten);
  const present = rows.map(({ id }) => id);
  const where = `list = '${list}'`;
  const disabled = await disableMissing(
    context,
    { table: table.name, column: 'enabled', where, hasUpdatedAt: true },
    present,
  );
  return { ...counts, disabled };
}

function listRow(context: ImportContext, section: ListSection, record: ListRecord) {
  const key = naturalKey(section, record);
  const { name, domain, aliases = [], color, portal, enabled } = record;
  return {
    id: context.ids.of(section, key),
    list: LIST_OF_SECTION[section],
    key,
    name: name ?? domain,
    aliases,
    parent_id: null,
    attributes: { ...(color ? { color } : {}), ...(portal ? { portal } : {}) },
    enabled,
  };
}

/** They come after all sources, since those are their parents. */
export async function writeSubSources(
  context: ImportContext,
  sources: readonly Indexed<RecordOf<'sources'>>[],
): Promise<Counts> {
  const rows = sources.flatMap(({ value: source }) =>
    source.subSources.map((name) => {
      const key = subSourceKey(source.name, name);
      return {
        id: context.ids.of('subSources', key),
        list: SUB_SOURCES,
        key,
        name,
        aliases: [],
        parent_id: context.ids.of('sources', source.name),
        attributes: {},
        enabled: true,
      };
    }),
  );
  const counts = await upsert(context.sql, table, rows);
  const where = `list = '${SUB_SOURCES}'`;
  const present = rows.map(({ id }) => id);
  const disabled = await disableMissing(
    context,
    { table: table.name, column: 'enabled', where, hasUpdatedAt: true },
    present,
  );
  return { ...counts, disabled };
}
