import * as z from 'zod';
import { statement } from '../db/statement.ts';
import type { WrittenTable } from '../db/rows.ts';
import { nameKey, subSourceKey, type SectionName } from './record-ids.ts';
import {
  readAll,
  section,
  sum,
  uncounted,
  withParts,
  writeRows,
  noCounts,
  type Counts,
  type Section,
  type WriteContext,
} from './section.ts';
import { ENABLED, flag, lowerCaseName, name, names, optionalId, optionalName } from './values.ts';

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

type ListSection = keyof typeof LIST_OF_SECTION;

const listEntries: WrittenTable = {
  name: 'list_entries',
  key: ['id'],
  insertOnly: ['list', 'key'],
  flag: 'enabled',
};

const named = z.strictObject({
  id: optionalId,
  name: name.describe('The name in leads and rules.'),
  enabled: flag(true).describe(ENABLED),
});

const aliases = names.describe('Other names for it.');

interface ListRecord {
  name: string | null;
  aliases?: string[];
  color?: string | null;
  portal?: boolean;
  enabled: boolean;
}

type ListSchema = z.ZodType<ListRecord>;

/** `columns`: the fields of a record beside `enabled`, as SQL. */
function list<Schema extends ListSchema>(
  given: Pick<Section<Schema>, 'about' | 'schema'> & { name: ListSection },
  { key = 'name', columns = 'e.name' } = {},
): Section<Schema> {
  return section({
    ...given,
    key: [key],
    read: readAll(given.name)`
      select ${columns}, e.enabled from list_entries e
      where e.list = '${LIST_OF_SECTION[given.name]}' order by e.key`,
    write: (context, records) => writeList(context, given.name, key, records),
  });
}

function writeList(
  context: WriteContext,
  section: ListSection,
  keyField: string,
  records: readonly ListRecord[],
): Promise<Counts> {
  const list = LIST_OF_SECTION[section];
  const rows = records.map((record) => {
    const { aliases = [], color, portal, enabled } = record;
    const keyText = String(record[keyField as 'name']);
    const key = nameKey(section, keyText);
    const attributes = { ...(color ? { color } : {}), ...(portal ? { portal } : {}) };
    const row = { id: context.ids.of(section, key), list, key, name: record.name ?? keyText };
    return { ...row, aliases, parent_id: null, attributes, enabled };
  });
  return writeRows(context, listEntries, rows, `list = '${list}'`);
}

export const propertyTypes = list({
  name: 'propertyTypes',
  about: 'Types of property, such as Apartment.',
  schema: named,
});

export const projectStatuses = list(
  {
    name: 'projectStatuses',
    about: 'States of a project, such as Off Plan.',
    schema: named.extend({ color: optionalName.describe('Such as `#1E88E5`.') }),
  },
  { columns: `e.id, e.name, e.attributes ->> 'color' as color` },
);

const sourceList = list(
  {
    name: 'sources',
    about: 'Where leads come from.',
    schema: named.extend({
      portal: flag(false).describe('The enquiries of a portal are never merged.'),
      subSources: names.describe(
        'The whole list; a sub-source that it leaves out is switched off.',
      ),
    }),
  },
  {
    columns: `e.name, coalesce((e.attributes ->> 'portal')::boolean, false) as portal,
      array(select s.name from list_entries s
        where s.list = 'subSource' and s.parent_id = e.id and s.enabled order by s.key) as "subSources"`,
  },
);

/** Sub-sources have no section of their own. Those that their source omits are disabled. */
export const sources: typeof sourceList = {
  ...sourceList,
  async write(context, records) {
    const { ids, sql } = context;
    const counts = await sourceList.write(context, records);
    const rows = records.flatMap((source) =>
      source.subSources.map((name) => {
        const key = subSourceKey(source.name, name);
        const row = { id: ids.of('subSources', key), list: 'subSource', key, name, aliases: [] };
        return { ...row, parent_id: ids.of('sources', source.name), attributes: {}, enabled: true };
      }),
    );
    const removed = await sql.all(DISABLE_SUB_SOURCES, {
      sourceIds: records.map((source) => ids.of('sources', source.name)),
      keptIds: rows.map(({ id }) => id),
    });
    const parts = { ...uncounted(context), disableMissing: context.disableMissing };
    const written = await writeRows(parts, listEntries, rows, `list = 'subSource'`);
    return sum([counts, written, { ...noCounts, disabled: removed.length }]);
  },
};

const DISABLE_SUB_SOURCES = statement<Record<'sourceIds' | 'keptIds', string[]>, { id: string }>(
  'disable_sub_sources',
)`
update list_entries set enabled = false, updated_at = now()
where list = 'subSource' and enabled and parent_id = any (:sourceIds::uuid[])
  and id <> all (:keptIds::uuid[]) returning id`;

export const campaigns = list({
  name: 'campaigns',
  about: 'The CRM’s campaigns.',
  schema: named,
});

export const marketingTypes = list({
  name: 'marketingTypes',
  about: 'Types of marketing, such as Paid.',
  schema: named,
});

export const eventTypes = list({
  name: 'eventTypes',
  about: 'Actions of visitors, such as Submit Form.',
  schema: named,
});

export const websites = list(
  {
    name: 'websites',
    about: 'The company’s websites.',
    schema: named.extend({
      domain: lowerCaseName.describe('Such as `agency.example`.'),
      name: optionalName.describe('Another name in leads, besides the domain.'),
    }),
  },
  { key: 'domain', columns: 'e.key as domain, e.name' },
);

export const leadTypes = list(
  {
    name: 'leadTypes',
    about: 'Lead types besides the built-in ones.',
    schema: named.extend({ aliases }),
  },
  { columns: 'e.name, e.aliases' },
);

export const languages = list(
  {
    name: 'languages',
    about: 'Other names of languages, and languages that ISO 639-1 does not have.',
    schema: named.extend({
      code: lowerCaseName.describe('A code of ISO 639-1, or one of your own.'),
      aliases,
    }),
  },
  { key: 'code', columns: 'e.key as code, e.name, e.aliases' },
);

export const pools = list({
  name: 'pools',
  about: 'Pools, from which agents claim leads.',
  schema: named,
});

const funnelTable: WrittenTable = { name: 'funnels', key: ['id'], insertOnly: ['key'] };
const stageTable: WrittenTable = {
  name: 'funnel_stages',
  key: ['funnel_id', 'name'],
  insertOnly: ['id'],
};

const DEFAULT_STAGES = ['New', 'Contacted', 'Qualified', 'Closed'];

export const funnels = section({
  name: 'funnels',
  about: 'Pipelines, with their stages in order.',
  key: ['key'],
  schema: z.strictObject({
    id: optionalId,
    key: lowerCaseName.describe('Such as `leasing`.'),
    name: name.describe('`{company}` is replaced by the company’s name.'),
    stages: z
      .array(name)
      .min(1)
      .nullish()
      .describe(
        'In order. Stages that it leaves out stay, behind these. By default a new funnel gets four.',
      ),
  }),
  read: readAll('funnels')`
    select f.key, f.name, array(select s.name from funnel_stages s where s.funnel_id = f.id
      order by s.position, s.name) as stages
    from funnels f where exists (select from funnel_stages s where s.funnel_id = f.id) order by f.key`,
  async write(context, records) {
    const counts: Counts[] = [];
    for (const { key, name, stages: given } of records) {
      const id = context.ids.of('funnels', key);
      const stored = (await context.sql.all(READ_STAGES, { funnelId: id })).map(({ name }) => name);
      // Leads may be in stages that the file omits.
      const stages = new Set([...(given ?? (stored.length > 0 ? [] : DEFAULT_STAGES)), ...stored]);
      const rows = [...stages].map((stage, at) => {
        return { id: context.newId(), funnel_id: id, name: stage, position: at + 1 };
      });
      const { sql, onWritten } = context;
      const own = await writeRows({ sql, onWritten }, funnelTable, [{ id, key, name }]);
      counts.push(withParts(own, await writeRows(uncounted(context), stageTable, rows)));
    }
    return sum(counts);
  },
});

const READ_STAGES = statement<{ funnelId: string }, { name: string }>('read_stages')`
select name from funnel_stages where funnel_id = :funnelId order by position, name`;
