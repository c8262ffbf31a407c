import { companyKey, withCompanyName } from '../../domain/lookup/company-name.ts';
import {
  funnelList,
  leadTypeList,
  propertyTypeList,
  subSourceTerm,
} from '../../domain/lookup/list-rules.ts';
import { LookupList } from '../../domain/lookup/lookup-list.ts';
import type { Term } from '../../domain/lookup/lookup-list.ts';
import type {
  AgentEntry,
  Entry,
  FunnelEntry,
  LocationEntry,
  Reference,
} from '../../domain/lookup/reference.ts';
import {
  agentCategories,
  countryList,
  currencies,
  languageList,
  marketSegments,
} from '../../domain/lookup/standard-lists.ts';
import type { QuizField } from '../../domain/quiz/field-mapping.ts';
import type { Database, Sql } from '../database.ts';

const MAIN_FUNNEL_KEY = 'main';

interface ListEntryRow {
  id: string;
  list: string;
  key: string;
  name: string;
  aliases: string[];
  parent_id: string | null;
  attributes: { portal?: boolean };
}

/**
 * The CRM's lists as they stand at one moment: read in one transaction, so that an import is seen
 * whole or not at all. `companyName` fills the funnel that carries the company's own name.
 */
export async function loadReference(database: Database, companyName: string): Promise<Reference> {
  return database.transaction((sql) => readReference(sql, companyName), {
    isolation: 'repeatable read',
    readOnly: true,
  });
}

async function readReference(sql: Sql, companyName: string): Promise<Reference> {
  const version = await readReferenceVersion(sql);
  const entries = await sql.query<ListEntryRow>(
    `select id, list, key, name, aliases, parent_id, attributes from list_entries where enabled order by key`,
  );
  const of = (list: string) => entries.filter((entry) => entry.list === list);
  const funnels = await readFunnels(sql, companyName);
  const mainFunnel = funnels.find((funnel) => funnel.key === MAIN_FUNNEL_KEY);
  if (!mainFunnel) throw new Error('The main funnel is missing: run the migrations.');
  return {
    version,
    mainFunnel,
    lists: {
      leadType: leadTypeList(of('leadType')),
      funnel: funnelList(funnels.filter((funnel) => funnel !== mainFunnel)),
      marketSegment: marketSegments,
      agentCategory: agentCategories,
      location: await readLocations(sql),
      propertyType: propertyTypeList(of('propertyType').map(plainEntry)),
      currency: currencies,
      language: languageList(of('language').map((row) => ({ ...row, code: row.key }))),
      source: new LookupList(of('source').map(sourceTerm)),
      subSource: new LookupList(of('subSource').map(subSourceTermOf)),
      marketingType: plainList(of('marketingType')),
      eventType: plainList(of('eventType')),
      campaign: plainList(of('campaign')),
      developer: await readDevelopers(sql),
      website: new LookupList(of('website').flatMap(websiteTerms)),
      country: countryList,
      agent: await readAgents(sql),
    },
    quizFields: await readQuizFields(sql),
    competitorDomains: await readCompetitorDomains(sql),
  };
}

export async function readReferenceVersion(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ version: number }>(`select version from reference_state`);
  if (!row) throw new Error('The reference state is missing: run the migrations.');
  return row.version;
}

function plainEntry(row: ListEntryRow): Entry {
  return { id: row.id, name: row.name };
}

function plainList(rows: readonly ListEntryRow[]): LookupList<Entry> {
  return new LookupList(rows.map((row) => ({ entry: plainEntry(row), text: row.name })));
}

function sourceTerm(row: ListEntryRow) {
  return { entry: { ...plainEntry(row), portal: row.attributes.portal === true }, text: row.name };
}

function subSourceTermOf(row: ListEntryRow) {
  const sourceId = row.parent_id ?? '';
  return { entry: { ...plainEntry(row), sourceId }, text: subSourceTerm(sourceId, row.name) };
}

/** The domain is preferred over the name (payload table, website). */
function websiteTerms(row: ListEntryRow): Term<Entry>[] {
  const entry = plainEntry(row);
  return [
    { entry, text: row.key, rank: 0 },
    { entry, text: row.name, rank: 1 },
  ];
}

async function readLocations(sql: Sql): Promise<LookupList<LocationEntry>> {
  const rows = await sql.query<LocationEntry & { nameAr: string | null }>(
    `select id, name, name_ar as "nameAr", path, ancestor_ids as "ancestorIds"
     from locations where enabled order by path`,
  );
  return new LookupList(
    rows.flatMap(({ nameAr, ...entry }) => [
      { entry, text: entry.name },
      ...(nameAr ? [{ entry, text: nameAr }] : []),
    ]),
  );
}

/** Name and slug are of one rank: a text that is one developer's name and another's slug is ambiguous. */
async function readDevelopers(sql: Sql): Promise<LookupList<Entry>> {
  const rows = await sql.query<Entry & { slug: string }>(
    `select id, name, slug from developers where enabled order by slug`,
  );
  return new LookupList(
    rows.flatMap(({ slug, ...entry }) => [
      { entry, text: entry.name },
      { entry, text: slug },
    ]),
  );
}

async function readAgents(sql: Sql): Promise<LookupList<AgentEntry>> {
  const rows = await sql.query<AgentEntry>(
    `select id, name, slug, email, phone, whatsapp_phone as "whatsappPhone", active
     from agents order by email`,
  );
  return new LookupList(rows.map((entry) => ({ entry, text: entry.email })));
}

async function readFunnels(sql: Sql, companyName: string): Promise<FunnelEntry[]> {
  const rows = await sql.query<FunnelEntry>(
    `select f.id, f.key, f.name,
       (select jsonb_build_object('id', s.id, 'name', s.name) from funnel_stages s
        where s.funnel_id = f.id order by s.position limit 1) as "firstStage"
     from funnels f order by f.key`,
  );
  return rows.map((funnel) => ({
    ...funnel,
    key: withCompanyName(funnel.key, companyKey(companyName)),
    name: withCompanyName(funnel.name, companyName),
  }));
}

function readQuizFields(sql: Sql): Promise<QuizField[]> {
  return sql.query<QuizField>(
    `select quiz_key as "quizKey", question_key as "questionKey", field from quiz_fields
     order by quiz_key, question_key`,
  );
}

async function readCompetitorDomains(sql: Sql): Promise<Set<string>> {
  const rows = await sql.query<{ domain: string }>(`select domain from competitor_domains`);
  return new Set(rows.map((row) => row.domain));
}
