import { assertNever } from '../../assert-never.ts';
import { funnelKey, leadTypeList } from '../lookups/list-rules.ts';
import { lookupKey } from '../lookups/lookup-list.ts';
import {
  agentCategories,
  countryList,
  currencies,
  languageList,
  marketSegments,
} from '../lookups/standard-lists.ts';
import type { ConditionField } from '../../routing/types.ts';
import type { KnownRecords } from './known-records.ts';
import type { RecordIds } from './record-ids.ts';
import type { Dataset } from './sections.ts';

type Value = string | boolean;

/** What the values of a rule's conditions stand for, as the facts of a lead have it: ids and codes. */
export interface RuleNames {
  /** None when nothing is called so; several where a sub-source's name is that of several. */
  resolve(field: ConditionField, value: Value): readonly Value[];
}

export function ruleNames(dataset: Dataset, known: KnownRecords, ids: RecordIds): RuleNames {
  const languages = allLanguages(dataset, known);
  const leadTypes = allLeadTypes(dataset, known, ids);
  const funnels = allFunnels(dataset, known, ids);
  const one = (id: string | undefined) => (id === undefined ? [] : [id]);

  function resolveText(field: ConditionField, value: string): readonly Value[] {
    switch (field) {
      case 'source':
        return one(ids.find('sources', value));
      case 'subSource':
        return subSourceIds(ids, value);
      case 'funnel':
        return one(funnels.get(funnelKey(value)));
      case 'campaign':
        return one(ids.find('campaigns', value));
      case 'developer':
        return one(ids.find('developers', value));
      case 'location':
        return one(ids.find('locations', value));
      case 'language':
        return matchedId(languages, value);
      case 'leadType':
        return matchedId(leadTypes, value);
      case 'propertyType':
        return one(ids.find('propertyTypes', value));
      case 'marketingType':
        return one(ids.find('marketingTypes', value));
      case 'eventType':
        return one(ids.find('eventTypes', value));
      case 'currency':
        return matchedId(currencies, value);
      case 'country':
        return matchedId(countryList, value);
      case 'marketSegment':
        return matchedId(marketSegments, value);
      case 'agentCategory':
        return matchedId(agentCategories, value);
      case 'listingPurpose':
        return ['sale', 'rent'].filter((purpose) => purpose === lookupKey(value));
      case 'listingMarket':
        return ['primary', 'secondary'].filter((market) => market === lookupKey(value));
      case 'isRepeatLead':
      case 'isAgentEnquiry':
        return ['true', 'false']
          .filter((flag) => flag === lookupKey(value))
          .map((flag) => flag === 'true');
      case 'client':
      case 'integrationRef':
      case 'budget':
        return [value];
      default:
        return assertNever(field);
    }
  }

  return {
    resolve: (field, value) => (typeof value === 'string' ? resolveText(field, value) : [value]),
  };
}

type Matcher = { resolve(text: string): { kind: string; entry?: { id: string } } };

function matchedId(list: Matcher, value: string): string[] {
  const { entry } = list.resolve(value);
  return entry ? [entry.id] : [];
}

/** `Source/Sub` is one of them; a name alone is that of every source that has one so called. */
function subSourceIds(ids: RecordIds, value: string): string[] {
  const key = lookupKey(value);
  const exact =
    ids.find('subSources', key) ?? ids.find('subSources', key.replace(/\s*\/\s*/g, '/'));
  if (exact !== undefined) return [exact];
  return [...ids.entries('subSources')]
    .filter(([subSource]) => subSource.endsWith(`/${key}`))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, id]) => id);
}

export function allLanguages(dataset: Dataset, known: KnownRecords) {
  const added = (dataset.languages ?? []).map(({ value }) => value);
  return languageList([...known.languages, ...added]);
}

function allLeadTypes(dataset: Dataset, known: KnownRecords, ids: RecordIds) {
  const types = new Map(known.leadTypes.map((type) => [type.id, type]));
  for (const { value } of dataset.leadTypes ?? []) {
    const id = ids.of('leadTypes', value.name);
    types.set(id, { id, name: value.name, aliases: value.aliases });
  }
  return leadTypeList([...types.values()]);
}

function allFunnels(dataset: Dataset, known: KnownRecords, ids: RecordIds): Map<string, string> {
  const added = (dataset.funnels ?? []).map(({ value: { key, name } }) => ({
    key,
    name,
    id: ids.of('funnels', key),
  }));
  const funnels = [...known.funnels, ...added];
  return new Map(
    funnels.flatMap(({ id, key, name }) => [
      [funnelKey(name), id],
      [funnelKey(key), id],
    ]),
  );
}
