import { setImmediate } from 'node:timers/promises';
import type { Compilable } from 'kysely';
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
import type { FunnelEntry, Reference } from '../../domain/catalogue/lookups/reference.ts';
import {
  agentCategories,
  countryList,
  currencies,
  languageList,
  marketSegments,
} from '../../domain/catalogue/lookups/standard-lists.ts';
import type { ListName } from '../../domain/leads/fields.ts';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import { readReferenceVersion } from './reference-version.ts';
import { isEnabled } from './search.ts';

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
  const { entries, ...queries } = listQueries(sql);
  const funnels = (await readFunnels(sql)).map((funnel) => withCompany(funnel, companyName));
  const mainFunnel = funnels.find((funnel) => funnel.key === MAIN_FUNNEL_KEY);
  if (!mainFunnel) throw new Error('The main funnel is missing: run the migrations.');
  const domains = await sql.run(queries.competitorDomains);

  async function read<Name extends ListName, Row>(
    name: Name,
    rows: Compilable<Row>,
    build: (rows: readonly Row[]) => Lists[Name] | Promise<Lists[Name]>,
  ): Promise<Lists[Name]> {
    return kept[name] ?? build(await sql.run(rows));
  }

  const lists = {
    leadType: await read('leadType', entries('leadType').select('aliases'), leadTypeList),
    propertyType: await read('propertyType', queries.propertyTypes, propertyTypeList),
    language: await read('language', queries.languages, languageList),
    source: await read('source', entries('source').select('attributes'), inSlices(toSourceTerm)),
    subSource: await read('subSource', queries.subSources, inSlices(toSubSourceTerm)),
    marketingType: await read('marketingType', entries('marketingType'), plainList),
    eventType: await read('eventType', entries('eventType'), plainList),
    campaign: await read('campaign', entries('campaign'), plainList),
    website: await read('website', entries('website').select('key'), inSlices(toWebsiteTerm)),
    funnel: funnelList(funnels.filter((funnel) => funnel !== mainFunnel)),
    marketSegment: marketSegments,
    agentCategory: agentCategories,
    location: await read('location', queries.locations, inSlices(toLocationTerm)),
    currency: currencies,
    developer: await read('developer', queries.developers, inSlices(toDeveloperTerm)),
    country: countryList,
    agent: await read('agent', queries.agents, inSlices(toAgentTerm)),
  };
  return {
    version,
    mainFunnel,
    lists,
    quizFields: await sql.run(queries.quizFields),
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
async function readDigests({ tables, fragment, run }: Sql): Promise<Loaded['digests']> {
  const digest = fragment<string>`bit_xor(hash_record_extended(entry, 0))::text`.as('digest');
  const list = (name: ListName) => fragment.val(name).as('list');
  const rows = await run(
    tables
      .selectFrom('list_entries as entry')
      .select(['list', digest])
      .groupBy('list')
      .unionAll(tables.selectFrom('locations as entry').select([list('location'), digest]))
      .unionAll(tables.selectFrom('developers as entry').select([list('developer'), digest]))
      .unionAll(tables.selectFrom('agents as entry').select([list('agent'), digest])),
  );
  return new Map(rows.map((row) => [row.list, row.digest]));
}

const listQueries = ({ tables }: Sql) => {
  const all = (list: ListName) =>
    tables
      .selectFrom('list_entries')
      .select(['id', 'name'])
      .where('list', '=', list)
      .orderBy('key');
  const entries = (list: ListName) => all(list).where(isEnabled);
  return {
    entries,
    propertyTypes: all('propertyType').select('enabled'),
    languages: entries('language').select(['key as code', 'aliases']),
    subSources: entries('subSource').select('parent_id as parentId'),
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
  };
};

function readFunnels({ tables, nested, run }: Sql): Promise<FunnelEntry[]> {
  const funnels = tables.selectFrom('funnels as f').select(({ selectFrom }) => {
    const stages = selectFrom('funnel_stages as s').whereRef('s.funnel_id', '=', 'f.id');
    const first = stages.select(['s.id', 's.name']).orderBy('s.position').limit(1);
    return ['f.id', 'f.key', 'f.name', nested.jsonObjectFrom(first).as('firstStage')];
  });
  return run(funnels.orderBy('f.key'));
}

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
