import {
  agentList,
  developerList,
  leadTypeList,
  locationList,
  plainList,
  sourceList,
  subSourceList,
  websiteList,
} from '../../domain/catalogue/lookups/crm-lists.ts';
import type { ListEntry } from '../../domain/catalogue/lookups/crm-lists.ts';
import { funnelList, withCompany } from '../../domain/catalogue/lookups/funnel-matching.ts';
import { propertyTypeList } from '../../domain/catalogue/lookups/plural-matching.ts';
import type { FunnelEntry, Reference } from '../../domain/catalogue/lookups/reference.ts';
import {
  agentCategories,
  countryList,
  currencies,
  languageList,
  marketSegments,
} from '../../domain/catalogue/lookups/standard-lists.ts';
import type { Database, Sql } from '../db/database.ts';

const MAIN_FUNNEL_KEY = 'main';

/**
 * The CRM's lists as they are at one moment: read in one transaction, so that an import is seen whole or
 * not at all. `companyName` fills the funnel that carries the company's own name.
 */
export async function loadReference(database: Database, companyName: string): Promise<Reference> {
  return database.transaction((sql) => readReference(sql, companyName), {
    isolation: 'repeatable read',
    readOnly: true,
  });
}

async function readReference(sql: Sql, companyName: string): Promise<Reference> {
  const version = await readReferenceVersion(sql);
  const funnels = (await readFunnels(sql)).map((funnel) => withCompany(funnel, companyName));
  const mainFunnel = funnels.find((funnel) => funnel.key === MAIN_FUNNEL_KEY);
  if (!mainFunnel) throw new Error('The main funnel is missing: run the migrations.');
  return {
    version,
    mainFunnel,
    lists: {
      ...(await readListEntries(sql)),
      funnel: funnelList(funnels.filter((funnel) => funnel !== mainFunnel)),
      marketSegment: marketSegments,
      agentCategory: agentCategories,
      location: locationList(await sql.query(LOCATIONS_SQL)),
      currency: currencies,
      developer: developerList(await sql.query(DEVELOPERS_SQL)),
      country: countryList,
      agent: agentList(await sql.query(AGENTS_SQL)),
    },
    quizFields: await sql.query(QUIZ_FIELDS_SQL),
    competitorDomains: await readCompetitorDomains(sql),
  };
}

const LIST_ENTRIES_SQL = `
  select id, list, key, name, aliases, parent_id as "parentId", attributes, enabled
  from list_entries order by key`;

const LOCATIONS_SQL = `
  select id, name, name_ar as "nameAr", path, ancestor_ids as "ancestorIds", enabled
  from locations order by path`;

const DEVELOPERS_SQL = `select id, name, slug, enabled from developers order by slug`;

const AGENTS_SQL = `
  select id, name, slug, email, phone, whatsapp_phone as "whatsappPhone", active
  from agents order by email`;

const QUIZ_FIELDS_SQL = `
  select quiz_key as "quizKey", question_key as "questionKey", field from quiz_fields
  order by quiz_key, question_key`;

async function readListEntries(sql: Sql) {
  const entries = await sql.query<ListEntry & { list: string }>(LIST_ENTRIES_SQL);
  const all = (list: string) => entries.filter((entry) => entry.list === list);
  const enabled = (list: string) => all(list).filter((entry) => entry.enabled);
  return {
    leadType: leadTypeList(enabled('leadType')),
    propertyType: propertyTypeList(all('propertyType')),
    language: languageList(enabled('language').map((entry) => ({ ...entry, code: entry.key }))),
    source: sourceList(enabled('source')),
    subSource: subSourceList(enabled('subSource')),
    marketingType: plainList(enabled('marketingType')),
    eventType: plainList(enabled('eventType')),
    campaign: plainList(enabled('campaign')),
    website: websiteList(enabled('website')),
  };
}

function readFunnels(sql: Sql): Promise<FunnelEntry[]> {
  return sql.query(
    `select f.id, f.key, f.name,
       (select jsonb_build_object('id', s.id, 'name', s.name) from funnel_stages s
        where s.funnel_id = f.id order by s.position limit 1) as "firstStage"
     from funnels f order by f.key`,
  );
}

async function readCompetitorDomains(sql: Sql): Promise<Set<string>> {
  const rows = await sql.query<{ domain: string }>(`select domain from competitor_domains`);
  return new Set(rows.map((row) => row.domain));
}

export async function readReferenceVersion(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ version: number }>(`select version from reference_state`);
  if (!row) throw new Error('The reference state is missing: run the migrations.');
  return row.version;
}
