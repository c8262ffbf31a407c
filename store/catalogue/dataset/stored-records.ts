import {
  overlay,
  storedKey,
  type StoredRecords,
} from '../../../domain/catalogue/dataset/record-changes.ts';
import type { KnownRecords } from '../../../domain/catalogue/dataset/record-ids.ts';
import {
  isSection,
  sectionNames,
  type DatasetEvents,
  type SectionName,
  type StoredRecord,
} from '../../../domain/catalogue/dataset/sections.ts';
import { withCompany } from '../../../domain/catalogue/lookups/funnel-matching.ts';
import { lookupKey } from '../../../domain/catalogue/lookups/lookup-list.ts';
import { SNAPSHOT, type Database, type Sql } from '../../db/database.ts';
import { statement, type NoParams } from '../../db/statement.ts';
import { exportRules } from './rules.ts';
import { readByCursor, readKeys, recordsSql } from './section-tables.ts';

/** In batches, so that memory stays small. To be read to the end within a transaction. */
export async function* readRecords(sql: Sql, section: SectionName) {
  const records = recordsSql(section);
  if (records !== null) return yield* readByCursor(sql, `records_${section}`, records);
  const rules = await exportRules(sql);
  if (rules) yield rules;
}

export type StoredSections = ReturnType<typeof createStoredSections>;

export function createStoredSections(sql: Sql) {
  const read = new Map<SectionName, Promise<StoredRecords>>();
  return (section: SectionName): Promise<StoredRecords> => {
    const known = read.get(section) ?? readByKey(sql, section);
    read.set(section, known);
    return known;
  };
}

async function readByKey(sql: Sql, section: SectionName): Promise<StoredRecords> {
  const byKey = new Map<string, StoredRecord>();
  for await (const records of readRecords(sql, section))
    for (const record of records) byKey.set(storedKey(section, record), record);
  return byKey;
}

/** Listings, too many for the memory, are completed in their staging table. */
export async function* completeRecords(events: DatasetEvents, stored: StoredSections) {
  for await (const event of events) {
    if (event.kind !== 'record' || !isSection(event.section) || event.section === 'listings')
      yield event;
    else {
      const records = await stored(event.section);
      yield { ...event, value: overlay(event.section, records, event.value) };
    }
  }
}

type WriteRecords = (section: SectionName, records: readonly StoredRecord[]) => Promise<void>;

/** The reference data of one moment as a dataset, in the order of the sections. Sections that are empty are left out. */
export async function exportDataset(
  database: Database,
  write: WriteRecords,
  only: readonly SectionName[] = sectionNames,
): Promise<void> {
  await database.transaction(async (sql) => {
    for (const section of only)
      for await (const records of readRecords(sql, section)) await write(section, records);
  }, SNAPSHOT);
}

export async function readKnownRecords(sql: Sql, companyName: string): Promise<KnownRecords> {
  const slugs = await sql.all(READ_AGENT_SLUGS, {});
  return {
    ids: await readKeys(sql),
    ...(await readPlaces(sql)),
    languages: await sql.all(READ_LANGUAGE_NAMES, {}),
    leadTypes: await sql.all(READ_LEAD_TYPE_NAMES, {}),
    funnels: await readFunnels(sql, companyName),
    agentSlugs: new Map(slugs.map(({ slug, email }) => [slug, email])),
  };
}

const READ_AGENT_SLUGS = statement<NoParams, { slug: string; email: string }>('read_agent_slugs')`
select slug, email from agents`;

const READ_LANGUAGE_NAMES = statement<NoParams, { code: string; name: string; aliases: string[] }>(
  'read_language_names',
)`
select key as code, name, aliases from list_entries where list = 'language'`;

const READ_LEAD_TYPE_NAMES = statement<NoParams, { id: string; name: string; aliases: string[] }>(
  'read_lead_type_names',
)`
select id, name, aliases from list_entries where list = 'leadType'`;

async function readPlaces(sql: Sql): Promise<Pick<KnownRecords, 'parents' | 'placeNames'>> {
  const rows = await sql.all(READ_PLACES, {});
  return {
    parents: new Map(rows.map(({ key, parent }) => [lookupKey(key), parent && lookupKey(parent)])),
    placeNames: rows.flatMap(({ key, name, nameAr }) =>
      [name, nameAr].flatMap((each) => (each === null ? [] : [[each, lookupKey(key)] as const])),
    ),
  };
}

interface Place {
  key: string;
  name: string;
  nameAr: string | null;
  parent: string | null;
}

const READ_PLACES = statement<NoParams, Place>('read_places')`
select l.key, l.name, l.name_ar as "nameAr", p.key as parent
from locations l left join locations p on p.id = l.parent_id`;

/** A rule may name a funnel with `{company}` or with the company's own name. */
async function readFunnels(sql: Sql, companyName: string) {
  const funnels = await sql.all(READ_FUNNEL_NAMES, {});
  return funnels.flatMap((funnel) => [funnel, withCompany(funnel, companyName)]);
}

const READ_FUNNEL_NAMES = statement<NoParams, { id: string; key: string; name: string }>(
  'read_funnel_names',
)`
select id, key, name from funnels`;
