import { leadTypeList, funnelKey } from '../lookups/crm-lists.ts';
import { lookupKey, type Entry, type LookupList } from '../lookups/lookup-list.ts';
import {
  agentCategories,
  countryList,
  currencies,
  languageList,
  marketSegments,
} from '../lookups/standard-lists.ts';
import type { ConditionField } from '../../routing/condition.ts';
import type { KnownRecords, RecordIds, RecordKind } from './record-ids.ts';
import { findCode } from './references.ts';
import type { Dataset } from './sections.ts';

type Value = string | boolean;

export type ResolveValue = ReturnType<typeof createValueResolver>;

/**
 * Resolves a value of a rule's conditions to what the facts of a lead have: ids and codes. None when no
 * record is called so; several where sub-sources of several sources share the name.
 */
export function createValueResolver(
  dataset: Dataset,
  known: KnownRecords,
  ids: RecordIds,
  languages: LookupList<Entry>,
) {
  const funnels = allFunnels(dataset, known, ids);
  const recordOf = (kind: RecordKind) => (text: string) => optional(ids.find(kind, text));
  const codeIn = (list: LookupList<Entry>) => (text: string) => optional(findCode(list, text));
  const oneOf = (texts: string[]) => (text: string) =>
    texts.filter((each) => each === lookupKey(text));
  const flag = (text: string) => oneOf(['true', 'false'])(text).map((each) => each === 'true');
  const asGiven = (text: string) => [text];

  const resolvers: Readonly<Record<ConditionField, (text: string) => readonly Value[]>> = {
    source: recordOf('sources'),
    subSource: (text) => subSourceIds(ids, text),
    funnel: (text) => optional(funnels.get(funnelKey(text))),
    campaign: recordOf('campaigns'),
    developer: recordOf('developers'),
    location: recordOf('locations'),
    language: codeIn(languages),
    leadType: codeIn(allLeadTypes(dataset, known, ids)),
    propertyType: recordOf('propertyTypes'),
    marketingType: recordOf('marketingTypes'),
    eventType: recordOf('eventTypes'),
    currency: codeIn(currencies),
    country: codeIn(countryList),
    marketSegment: codeIn(marketSegments),
    agentCategory: codeIn(agentCategories),
    listingPurpose: oneOf(['sale', 'rent']),
    listingMarket: oneOf(['primary', 'secondary']),
    isRepeatLead: flag,
    isAgentEnquiry: flag,
    client: asGiven,
    integrationRef: asGiven,
    budget: asGiven,
  };
  return (field: ConditionField, value: Value): readonly Value[] =>
    typeof value === 'string' || resolvers[field] === flag ? resolvers[field](String(value)) : [];
}

function optional(id: string | undefined): string[] {
  return id === undefined ? [] : [id];
}

/** `Source/Sub` is one of them; a name alone is that of every source that has one so called. */
function subSourceIds(ids: RecordIds, text: string): string[] {
  const key = lookupKey(text);
  const exact =
    ids.find('subSources', key) ?? ids.find('subSources', key.replace(/\s*\/\s*/g, '/'));
  if (exact !== undefined) return [exact];
  return [...ids.entries('subSources')]
    .filter(([subSource]) => subSource.endsWith(`/${key}`))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, id]) => id);
}

export function allLanguages(dataset: Dataset, known: KnownRecords): LookupList<Entry> {
  const added = (dataset.languages ?? []).map(({ value }) => value);
  return languageList([...known.languages, ...added]);
}

function allLeadTypes(dataset: Dataset, known: KnownRecords, ids: RecordIds): LookupList<Entry> {
  const types = new Map(known.leadTypes.map((type) => [type.id, type]));
  for (const { value } of dataset.leadTypes ?? []) {
    const id = ids.of('leadTypes', value.name);
    types.set(id, { id, name: value.name, aliases: value.aliases });
  }
  return leadTypeList([...types.values()]);
}

function allFunnels(dataset: Dataset, known: KnownRecords, ids: RecordIds): Map<string, string> {
  const added = (dataset.funnels ?? []).map(({ value: { key, name } }) => {
    return { id: ids.of('funnels', key), key, name };
  });
  return new Map(
    [...known.funnels, ...added].flatMap(({ id, key, name }) => [
      [funnelKey(name), id],
      [funnelKey(key), id],
    ]),
  );
}
