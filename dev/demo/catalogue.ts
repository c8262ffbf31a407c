import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  sections,
  type RecordOf,
  type SectionName,
} from '../../domain/catalogue/dataset/sections.ts';
import { lookupKey } from '../../domain/catalogue/lookups/lookup-list.ts';
import { root } from '../stack/demo-data.ts';

/** The reference data that the demo's enquiries can name. */
export type Catalogue = ReturnType<typeof catalogueFrom>;

const DEMO_FILE = path.join(root, 'dev/demo/demo.json');

export function readCatalogue() {
  return catalogueFrom(JSON.parse(readFileSync(DEMO_FILE, 'utf8')));
}

export function catalogueFrom(json: unknown) {
  const dataset = json as Partial<Record<SectionName, readonly unknown[]>>;
  const records = <Name extends SectionName>(name: Name) =>
    (dataset[name] ?? []).map((record) => sections[name].schema.parse(record) as RecordOf<Name>);
  const names = (section: 'propertyTypes' | 'campaigns' | 'marketingTypes' | 'eventTypes') =>
    records(section).map(({ name }) => name);
  const areas = byUse(records('locations'), ({ name }) => name);
  const listings = byUse(records('listings'), ({ referenceNo }) => referenceNo);
  const emails = (wanted: boolean) =>
    records('agents').flatMap(({ active, email }) => (active === wanted ? email : []));
  return {
    areas: areas.once,
    /** Names of more than one place. */
    ambiguousAreas: areas.several,
    referenceNos: listings.once.map(({ referenceNo }) => referenceNo),
    ambiguousReferenceNos: listings.several,
    developers: records('developers').filter(({ enabled }) => enabled),
    projects: records('projects').filter(({ published }) => published),
    propertyTypes: names('propertyTypes'),
    sources: records('sources'),
    campaigns: names('campaigns'),
    marketingTypes: names('marketingTypes'),
    eventTypes: names('eventTypes'),
    websites: records('websites').map(({ domain }) => domain),
    agents: emails(true),
    formerAgents: emails(false),
    knownAgents: records('knownAgents').flat(),
    competitorDomains: records('competitorDomains'),
    quizFields: records('quizFields'),
  };
}

/** Records whose name is theirs alone, and the names that several share. */
function byUse<T>(records: readonly T[], nameOf: (record: T) => string) {
  const groups = [...Map.groupBy(records, (record) => lookupKey(nameOf(record))).values()];
  return {
    once: groups.filter((group) => group.length === 1).flat(),
    several: groups.filter((group) => group.length > 1).map((group) => nameOf(group[0] as T)),
  };
}
