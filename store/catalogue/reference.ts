import { jsonObjectFrom } from 'kysely/helpers/postgres';
import {
  agentList,
  developerList,
  leadTypeList,
  locationList,
  plainList,
  sourceList,
  subSourceList,
  websiteList,
  type ListEntry,
} from '../../domain/catalogue/lookups/crm-lists.ts';
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
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import { readReferenceVersion } from './reference-version.ts';
import { isEnabled } from './search.ts';

const MAIN_FUNNEL_KEY = 'main';

/**
 * The CRM's lists as they are at one moment: read in one transaction, so that an import is seen whole or
 * not at all. `companyName` fills the funnel that carries the company's own name.
 */
export async function loadReference(database: Database, companyName: string): Promise<Reference> {
  return database.transaction((sql) => readReference(sql, companyName), SNAPSHOT);
}

async function readReference(sql: Sql, companyName: string): Promise<Reference> {
  const version = await readReferenceVersion(sql);
  const queries = listQueries(sql);
  const funnels = (await readFunnels(sql)).map((funnel) => withCompany(funnel, companyName));
  const mainFunnel = funnels.find((funnel) => funnel.key === MAIN_FUNNEL_KEY);
  if (!mainFunnel) throw new Error('The main funnel is missing: run the migrations.');
  const domains = await sql.run(queries.competitorDomains);
  return {
    version,
    mainFunnel,
    lists: {
      ...listsOf(await sql.run(queries.entries)),
      funnel: funnelList(funnels.filter((funnel) => funnel !== mainFunnel)),
      marketSegment: marketSegments,
      agentCategory: agentCategories,
      location: locationList(await sql.run(queries.locations)),
      currency: currencies,
      developer: developerList(await sql.run(queries.developers)),
      country: countryList,
      agent: agentList(await sql.run(queries.agents)),
    },
    quizFields: await sql.run(queries.quizFields),
    competitorDomains: new Set(domains.map(({ domain }) => domain)),
  };
}

function listsOf(entries: readonly (ListEntry & { list: string })[]) {
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

/** The tables of the lists, each in a fixed order. */
const listQueries = ({ tables }: Sql) => ({
  entries: tables
    .selectFrom('list_entries')
    .select(['id', 'list', 'key', 'name', 'aliases', 'parent_id as parentId'])
    .select(['attributes', 'enabled'])
    .orderBy('key'),
  locations: tables
    .selectFrom('locations')
    .select(['id', 'name', 'name_ar as nameAr', 'path', 'ancestor_ids as ancestorIds', 'enabled'])
    .orderBy('path'),
  developers: tables
    .selectFrom('developers')
    .select(['id', 'name', 'slug', 'enabled'])
    .orderBy('slug'),
  agents: tables
    .selectFrom('agents')
    .select(['id', 'name', 'slug', 'email', 'phone', 'whatsapp_phone as whatsappPhone', 'active'])
    .orderBy('email'),
  quizFields: tables
    .selectFrom('quiz_fields')
    .select(['quiz_key as quizKey', 'question_key as questionKey', 'field'])
    .orderBy('quiz_key')
    .orderBy('question_key'),
  competitorDomains: tables.selectFrom('competitor_domains').select('domain'),
});

function readFunnels({ tables, run }: Sql): Promise<FunnelEntry[]> {
  const funnels = tables.selectFrom('funnels as f').select(({ selectFrom }) => {
    const stages = selectFrom('funnel_stages as s').whereRef('s.funnel_id', '=', 'f.id');
    const first = stages.select(['s.id', 's.name']).orderBy('s.position').limit(1);
    return ['f.id', 'f.key', 'f.name', jsonObjectFrom(first).as('firstStage')];
  });
  return run(funnels.orderBy('f.key'));
}

export type ReferenceCache = Awaited<ReturnType<typeof createReferenceCache>>;

/** The lists that a process holds in memory, never older than the version that a caller has seen. */
export async function createReferenceCache(database: Database, companyName: string) {
  let current = await loadReference(database, companyName);
  let loading: Promise<Reference> | null = null;

  function load(): Promise<Reference> {
    loading ??= loadReference(database, companyName)
      .then((loaded) => (current = loaded))
      .finally(() => (loading = null));
    return loading;
  }

  return {
    get version() {
      return current.version;
    },
    /** The lists at `version` or later; reads them once, however many callers wait. */
    async atLeast(version: number): Promise<Reference> {
      while (current.version < version) await load();
      return current;
    },
  };
}

export type ListValue = Pick<ListEntry, 'id' | 'key' | 'name' | 'aliases' | 'parentId'> & {
  list: string;
};

export interface InstalledValues {
  reference: Reference;
  /** The enabled entries of the imported lists. */
  entries: ListValue[];
  /** The levels of the tree of locations. */
  levels: string[];
}

/** What an operator hands to an integrator: the lists as this installation has them. */
export async function readValues(
  database: Database,
  companyName: string,
): Promise<InstalledValues> {
  const reference = await loadReference(database, companyName);
  return database.transaction(async ({ tables, run }) => {
    const entries = tables
      .selectFrom('list_entries')
      .select(['id', 'list', 'key', 'name', 'aliases', 'parent_id as parentId'])
      .where(isEnabled)
      .orderBy('name')
      .orderBy('key');
    const levels = tables.selectFrom('locations').select('level').distinct().where(isEnabled);
    return {
      reference,
      entries: await run(entries),
      levels: (await run(levels.orderBy('level'))).map(({ level }) => level),
    };
  }, SNAPSHOT);
}
