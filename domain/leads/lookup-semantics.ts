import { subSourceTerm } from '../catalogue/lookups/crm-lists.ts';
import { type Entry, lookupKey, type LookupList } from '../catalogue/lookups/lookup-list.ts';
import type { Reference } from '../catalogue/lookups/reference.ts';
import { isUuid } from '../uuid.ts';
import { withoutInvisible } from '../written-text.ts';
import { type Enquiry, quizTexts, sentTexts, textOf } from './enquiry.ts';
import {
  asList,
  type Columns,
  type ColumnValue,
  emptyColumn,
  type Field,
  fields,
  type Unresolved,
} from './fields.ts';
import { readInstant } from './instant.ts';
import type { Listing } from './listing-inheritance.ts';

export function resolveFields(
  values: Enquiry['values'],
  { lists }: Reference,
  sourceId: string | null,
) {
  const columns: Columns = {};
  const unresolved: Unresolved = {};
  const answered: string[] = [];
  for (const field of fields) {
    const { name, column } = field;
    const sent = values.get(name);
    if (sent === undefined || column === null || isOverruled(name, values)) continue;
    // Null for one of two fields of a column does not clear the value of the other.
    const cleared: FieldOutcome = { value: columns[column] ?? emptyColumn(column) };
    const outcome = sent === null ? cleared : fieldOutcome(field, sent, { lists, sourceId });
    if (outcome.value !== undefined) {
      columns[column] = outcome.value;
      answered.push(name);
    }
    if (outcome.unresolved !== undefined) unresolved[name] = outcome.unresolved;
  }
  return { columns, unresolved, answered };
}

/** developerId wins over developerName (payload table). */
function isOverruled(name: string, values: Enquiry['values']): boolean {
  return name === 'developerName' && typeof values.get('developerId') === 'string';
}

export function resolvedSource(
  enquiry: Enquiry,
  { lists }: Reference,
  current: string | null,
): string | null {
  if (enquiry.values.get('source') === null) return null;
  const texts = [...sentTexts(enquiry, 'source'), ...quizTexts(enquiry, 'source')];
  return texts.length === 0 ? current : (matchedIds(texts, lists.source)[0] ?? null);
}

/** Two listings with the same reference number resolve to none (Lookup semantics, 10). */
export function resolvedListing(found: readonly Listing[]): Listing | null {
  const [listing = null, another] = found;
  return another ? null : listing;
}

/** From a trailing two-letter segment of pageUrl (payload table). */
export function inferredCountry(enquiry: Enquiry, { lists }: Reference): Columns {
  const pageUrl = textOf(enquiry, 'pageUrl');
  if (pageUrl === null || enquiry.values.has('localeCountry')) return {};
  const path = withoutInvisible(pageUrl).trim().split(/[?#]/, 1)[0] ?? '';
  const afterScheme = path.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const last = afterScheme.split('/').slice(1).filter(Boolean).at(-1) ?? '';
  const country = /^[a-z]{2}$/i.test(last) ? lists.country.resolve(last) : null;
  return { locale_country_id: country?.id ?? null };
}

interface FieldOutcome {
  value?: ColumnValue;
  unresolved?: string | string[];
}

interface Lists extends Pick<Reference, 'lists'> {
  sourceId: string | null;
}

/** Lookup semantics, 1 to 9. `propertyTypeList` has the plurals of property types (8). */
function fieldOutcome(field: Field, sent: string | string[], context: Lists): FieldOutcome {
  const { name, type, match } = field;
  if (match === 'exact') {
    if (type !== 'dateTime') return { value: sent };
    return { value: readInstant(sent as string)?.toISOString() };
  }
  if (typeof match !== 'object') return {};
  const list = context.lists[match.list];
  if (!Array.isArray(sent)) {
    const id = matchedId(name, sent, list);
    return id === undefined ? { unresolved: sent } : { value: id };
  }
  if (match.list === 'subSource') return subSources(sent, context);
  // Languages that are not recognised are ignored (Lookup semantics, 7).
  return { value: filledList(matchedIds(sent, list)) };
}

/** A developerId that is not a uuid is treated as a name (payload table). */
function matchedId(field: string, text: string, list: LookupList<Entry>): string | undefined {
  const isId = field === 'developerId' && isUuid(lookupKey(text));
  return (isId ? list.byId(lookupKey(text)) : list.resolve(text))?.id;
}

/** Only sub-sources of the resolved source (Lookup semantics, 5). */
function subSources(texts: string[], { lists, sourceId }: Lists): FieldOutcome {
  if (!sourceId) return {};
  const terms = texts.map((text) => subSourceTerm(sourceId, text));
  const unresolved = texts.filter((_text, at) => !lists.subSource.resolve(terms[at] ?? ''));
  return {
    value: filledList(matchedIds(terms, lists.subSource)),
    unresolved: filledList(unresolved),
  };
}

/** A new source keeps the sub-sources that it has by the same name (Lookup semantics, 5). */
export function linkedSubSources(
  current: Columns,
  { lists }: Reference,
  sourceId: string | null,
): readonly string[] {
  const formerIds = asList(current.sub_source_ids);
  if (sourceId === (current.source_id ?? null)) return formerIds;
  if (sourceId === null) return [];
  const names = formerIds.flatMap((id) => lists.subSource.named(id)?.name ?? []);
  return matchedIds(
    names.map((name) => subSourceTerm(sourceId, name)),
    lists.subSource,
  );
}

function matchedIds(texts: readonly string[], list: LookupList<Entry>): string[] {
  return [...new Set(texts.flatMap((text) => list.resolve(text)?.id ?? []))];
}

function filledList(texts: string[]): string[] | undefined {
  return texts.length > 0 ? texts : undefined;
}
