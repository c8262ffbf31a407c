import { setImmediate } from 'node:timers/promises';
import {
  leadTypeList,
  propertyTypeList,
  toAgentTerm,
  toDeveloperTerm,
  toLocationTerm,
  toPlainTerm,
  toSourceTerm,
  toSubSourceTerm,
  toWebsiteTerm,
} from '../../domain/catalogue/lookups/crm-lists.ts';
import { funnelList, withCompany } from '../../domain/catalogue/lookups/funnel-matching.ts';
import { LookupList, type Entry, type Term } from '../../domain/catalogue/lookups/lookup-list.ts';
import type {
  AgentEntry,
  FunnelEntry,
  LocationEntry,
  Reference,
} from '../../domain/catalogue/lookups/reference.ts';
import {
  agentCategories,
  countryList,
  currencies,
  languageList,
  marketSegments,
} from '../../domain/catalogue/lookups/standard-lists.ts';
import type { ListName } from '../../domain/leads/fields.ts';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import { statement, type NoParams, type Statement } from '../db/statement.ts';
import type { TableRow } from '../tables/index.ts';
import { readReferenceVersion } from './reference-version.ts';

type Lists = Reference['lists'];

const MAIN_FUNNEL_KEY = 'main';

interface Loaded {
  reference: Reference;
  digests: ReadonlyMap<string, string>;
}

/** Read in one transaction. `companyName` fills the funnel that carries the company's own name. */
export function loadReference(database: Database, companyName: string): Promise<Reference> {
  return database.transaction((sql) => readReference(sql, companyName), SNAPSHOT);
}

/** Lists whose rows are those of `before` are taken from there: reading 100,000 records takes half a second. */
function load(database: Database, companyName: string, before?: Loaded): Promise<Loaded> {
  return database.transaction(async (sql) => {
    const digests = await readDigests(sql);
    const unchanged = Object.entries(before?.reference.lists ?? {}).filter(
      ([name]) => before?.digests.get(name) === digests.get(name),
    );
    const kept: Partial<Lists> = Object.fromEntries(unchanged);
    return { reference: await readReference(sql, companyName, kept), digests };
  }, SNAPSHOT);
}

async function readReference(sql: Sql, companyName: string, kept: Partial<Lists> = {}) {
  const version = await readReferenceVersion(sql);
  const funnels = (await sql.all(READ_FUNNELS, {})).map((funnel) =>
    withCompany(funnel, companyName),
  );
  const mainFunnel = funnels.find((funnel) => funnel.key === MAIN_FUNNEL_KEY);
  if (!mainFunnel) throw new Error('The main funnel is missing: run the migrations.');
  const domains = await sql.all(READ_COMPETITOR_DOMAINS, {});

  async function read<Name extends ListName, Row>(
    name: Name,
    rows: Statement<NoParams, Row>,
    build: (rows: readonly Row[]) => Lists[Name] | Promise<Lists[Name]>,
  ): Promise<Lists[Name]> {
    return kept[name] ?? build(await sql.all(rows, {}));
  }

  const lists = {
    leadType: await read('leadType', READ_LEAD_TYPES, leadTypeList),
    propertyType: await read('propertyType', READ_PROPERTY_TYPES, propertyTypeList),
    language: await read('language', READ_LANGUAGES, languageList),
    source: await read('source', READ_SOURCES, inSlices(toSourceTerm)),
    subSource: await read('subSource', READ_SUB_SOURCES, inSlices(toSubSourceTerm)),
    marketingType: await read('marketingType', READ_MARKETING_TYPES, plainList),
    eventType: await read('eventType', READ_EVENT_TYPES, plainList),
    campaign: await read('campaign', READ_CAMPAIGNS, plainList),
    website: await read('website', READ_WEBSITES, inSlices(toWebsiteTerm)),
    funnel: funnelList(funnels.filter((funnel) => funnel !== mainFunnel)),
    marketSegment: marketSegments,
    agentCategory: agentCategories,
    location: await read('location', READ_LOCATIONS, inSlices(toLocationTerm)),
    currency: currencies,
    developer: await read('developer', READ_DEVELOPERS, inSlices(toDeveloperTerm)),
    country: countryList,
    agent: await read('agent', READ_AGENTS_OF_CRM, inSlices(toAgentTerm)),
  };
  return {
    version,
    mainFunnel,
    lists,
    quizFields: await sql.all(READ_QUIZ_FIELDS, {}),
    competitorDomains: new Set(domains.map(({ domain }) => domain)),
  };
}

const SLICE = 2000;

/** Makes a list a slice at a time, so that requests go on meanwhile: 100,000 records take 0.3 s. */
function inSlices<Row, E extends Entry>(toTerm: (row: Row) => Term<E>) {
  return async (rows: readonly Row[]): Promise<LookupList<E>> => {
    const list = new LookupList<E>([]);
    for (let from = 0; from < rows.length; from += SLICE) {
      list.add(rows.slice(from, from + SLICE).map(toTerm));
      await setImmediate();
    }
    return list;
  };
}

const plainList = inSlices(toPlainTerm);

/** Hashes whole rows, so that no change is missed. Postgres takes some 0.1 s for 100,000 records, this process none. */
async function readDigests(sql: Sql): Promise<Loaded['digests']> {
  return new Map((await sql.all(READ_DIGESTS, {})).map(({ list, digest }) => [list, digest]));
}

const DIGEST = `bit_xor(hash_record_extended(entry, 0))::text as digest`;

const READ_DIGESTS = statement<NoParams, { list: string; digest: string }>('read_digests')`
select list, ${DIGEST} from list_entries as entry group by list
union all select 'location', ${DIGEST} from locations as entry
union all select 'developer', ${DIGEST} from developers as entry
union all select 'agent', ${DIGEST} from agents as entry`;

const entriesSql = (list: ListName, columns = 'id, name') =>
  `select ${columns} from list_entries where list = '${list}' and enabled order by key`;

const READ_LEAD_TYPES = statement<NoParams, Entry & { aliases: string[] }>(
  'read_lead_types',
)`${entriesSql('leadType', 'id, name, aliases')}`;

const READ_PROPERTY_TYPES = statement<NoParams, Entry & { enabled: boolean }>(
  'read_property_types',
)`
select id, name, enabled from list_entries where list = 'propertyType' order by key`;

const READ_LANGUAGES = statement<NoParams, { code: string; name: string; aliases: string[] }>(
  'read_languages',
)`${entriesSql('language', 'key as code, name, aliases')}`;

const READ_SOURCES = statement<NoParams, Entry & Pick<TableRow<'list_entries'>, 'attributes'>>(
  'read_sources',
)`${entriesSql('source', 'id, name, attributes')}`;

const READ_SUB_SOURCES = statement<NoParams, Entry & { parentId: string | null }>(
  'read_sub_sources',
)`${entriesSql('subSource', 'id, name, parent_id as "parentId"')}`;

const READ_MARKETING_TYPES = statement<NoParams, Entry>(
  'read_marketing_types',
)`${entriesSql('marketingType')}`;
const READ_EVENT_TYPES = statement<NoParams, Entry>('read_event_types')`${entriesSql('eventType')}`;
const READ_CAMPAIGNS = statement<NoParams, Entry>('read_campaigns')`${entriesSql('campaign')}`;

const READ_WEBSITES = statement<NoParams, Entry & { key: string }>(
  'read_websites',
)`${entriesSql('website', 'id, name, key')}`;

const READ_LOCATIONS = statement<
  NoParams,
  LocationEntry & { nameAr: string | null; enabled: boolean }
>('read_locations')`
select id, name, name_ar as "nameAr", path, ancestor_ids as "ancestorIds", enabled
from locations order by path`;

const READ_DEVELOPERS = statement<NoParams, Entry & { slug: string; enabled: boolean }>(
  'read_developers',
)`
select id, name, slug, enabled from developers order by slug`;

const READ_AGENTS_OF_CRM = statement<NoParams, AgentEntry>('read_agents_of_crm')`
select id, name, slug, email, phone, whatsapp_phone as "whatsappPhone", active
from agents order by email`;

const READ_QUIZ_FIELDS = statement<NoParams, Reference['quizFields'][number]>('read_quiz_fields')`
select quiz_key as "quizKey", question_key as "questionKey", field
from quiz_fields order by quiz_key, question_key`;

const READ_COMPETITOR_DOMAINS = statement<NoParams, { domain: string }>('read_competitor_domains')`
select domain from competitor_domains`;

const READ_FUNNELS = statement<NoParams, FunnelEntry>('read_funnels')`
select f.id, f.key, f.name, (
  select jsonb_build_object('id', s.id, 'name', s.name) from funnel_stages s
  where s.funnel_id = f.id order by s.position limit 1) as "firstStage"
from funnels f order by f.key`;

export type ReferenceCache = Awaited<ReturnType<typeof createReferenceCache>>;

/** The lists that a process holds in memory, never older than the version that a caller has seen. */
export async function createReferenceCache(database: Database, companyName: string) {
  let current = await load(database, companyName);
  let loading: Promise<Loaded> | null = null;

  function reload(): Promise<Loaded> {
    loading ??= load(database, companyName, current)
      .then((loaded) => (current = loaded))
      .finally(() => (loading = null));
    return loading;
  }

  return {
    get version() {
      return current.reference.version;
    },
    /** The lists at `version` or later; reads what changed once, however many callers wait. */
    async atLeast(version: number): Promise<Reference> {
      while (current.reference.version < version) await reload();
      return current.reference;
    },
  };
}

export type InstalledValues = Awaited<ReturnType<typeof readValues>>;

/** What an operator hands to an integrator: the lists as this installation has them. */
export async function readValues(database: Database, companyName: string) {
  const reference = await loadReference(database, companyName);
  return database.transaction(
    async (sql) => ({
      reference,
      entries: await sql.all(READ_ENTRIES, {}),
      levels: (await sql.all(READ_LEVELS, {})).map(({ level }) => level),
    }),
    SNAPSHOT,
  );
}

type ListColumns = Pick<TableRow<'list_entries'>, 'id' | 'list' | 'key' | 'name' | 'aliases'>;

const READ_ENTRIES = statement<NoParams, ListColumns & { parentId: string | null }>('read_entries')`
select id, list, key, name, aliases, parent_id as "parentId"
from list_entries where enabled order by name, key`;

const READ_LEVELS = statement<NoParams, { level: string }>('read_levels')`
select distinct level from locations where enabled order by level`;
