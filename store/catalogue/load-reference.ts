import {
  funnelList,
  leadTypeList,
  propertyTypeList,
} from '../../domain/catalogue/lookups/list-rules.ts';
import { LookupList } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import {
  agentCategories,
  countryList,
  currencies,
  languageList,
  marketSegments,
} from '../../domain/catalogue/lookups/standard-lists.ts';
import type { Database, Sql } from '../db/database.ts';
import { plainList, sourceTerm, subSourceTermOf, websiteTerms } from './list-entries.ts';
import type { ListEntryRow } from './list-entries.ts';
import {
  readAgents,
  readCompetitorDomains,
  readDevelopers,
  readFunnels,
  readLocations,
  readQuizFields,
} from './reference-tables.ts';

const MAIN_FUNNEL_KEY = 'main';

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
    `select id, list, key, name, aliases, parent_id, attributes, enabled from list_entries order by key`,
  );
  const all = (list: string) => entries.filter((entry) => entry.list === list);
  const of = (list: string) => all(list).filter((entry) => entry.enabled);
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
      propertyType: propertyTypeList(all('propertyType')),
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
