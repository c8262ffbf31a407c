import { naturalKey, subSourceKey } from '../../../../domain/catalogue/dataset/record-ids.ts';
import type { Indexed, RecordOf } from '../../../../domain/catalogue/dataset/sections.ts';
import { ListEntry } from '../../../tables/lists.ts';
import {
  LIST_OF_SECTION,
  SUB_SOURCES,
  type ListSection,
  type SectionRow,
} from '../section-tables.ts';
import { upsertTable, type Counts } from '../upsert.ts';
import { writeRows, type ImportContext } from '../write-rows.ts';

const table = {
  ...upsertTable(ListEntry, { insertOnly: ['list', 'key'] }),
  flag: 'enabled',
} as const;

/** The fields of the records of all lists; a field that a list does not have is left empty. */
interface ListRecord {
  name: string | null;
  domain?: string;
  aliases?: string[];
  color?: string | null;
  portal?: boolean;
  enabled: boolean;
}

export function writeList<Section extends ListSection>(
  context: ImportContext,
  section: Section,
  records: readonly Indexed<RecordOf<Section>>[],
): Promise<Counts> {
  const rows = records.map(({ value }) => listRow(context, section, value));
  return writeRows(context, table, rows, `list = '${LIST_OF_SECTION[section]}'`);
}

function listRow(context: ImportContext, section: ListSection, record: ListRecord): SectionRow {
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

/** Sub-sources are written after all sources, which are their parents. */
export function writeSubSources(
  context: ImportContext,
  sources: readonly Indexed<RecordOf<'sources'>>[],
): Promise<Counts> {
  const rows = sources.flatMap(({ value: source }) =>
    source.subSources.map((name): SectionRow => {
      const key = subSourceKey(source.name, name);
      return {
        ...{ id: context.ids.of('subSources', key), list: SUB_SOURCES, key, name },
        aliases: [],
        parent_id: context.ids.of('sources', source.name),
        attributes: {},
        enabled: true,
      };
    }),
  );
  const uncounted = { ...context, onWritten: () => undefined };
  return writeRows(uncounted, table, rows, `list = '${SUB_SOURCES}'`);
}
