import { subSourceTerm } from '../catalogue/lookups/crm-lists.ts';
import { lookupKey, type Entry, type LookupOutcome } from '../catalogue/lookups/lookup-list.ts';
import type { Reference } from '../catalogue/lookups/reference.ts';
import { isUuid } from '../uuid.ts';
import { emptyColumn, type Columns, type ColumnValue } from './columns.ts';
import { quizTexts, sentTexts, type Enquiry, type SentValue } from './enquiry.ts';
import { fields, type Field, type ListName } from './fields.ts';
import { readInstant } from './instant.ts';

/** Field name to the original value sent, for values that matched no record or several. */
export type Unresolved = Record<string, unknown>;

export interface Resolution {
  columns: Columns;
  unresolved: Unresolved;
  /** The fields whose value was taken or cleared, not those ignored or unmatched. */
  answered: string[];
}

/** Resolves all fields with a value, in the order of the field table; sub-sources must be linked to `sourceId`. */
export function resolveFields(
  values: Enquiry['values'],
  { lists }: Reference,
  sourceId: string | null,
): Resolution {
  const resolution: Resolution = { columns: {}, unresolved: {}, answered: [] };
  for (const field of fields) {
    const value = values.get(field.name);
    if (value === undefined || isOverruled(field, values)) continue;
    if (value === null) clear(resolution, field);
    else take(resolution, field, fieldOutcome(field, value, { lists, sourceId }));
  }
  return resolution;
}

/** developerId wins over developerName (payload table). */
function isOverruled({ name }: Field, values: ReadonlyMap<string, SentValue>): boolean {
  return name === 'developerName' && typeof values.get('developerId') === 'string';
}

/** Where two fields fill one column, null for one does not clear the value of the other. */
function clear({ columns, answered }: Resolution, { name, column }: Field): void {
  if (column === null) return;
  columns[column] ??= emptyColumn(column);
  answered.push(name);
}

function take(
  { columns, answered, unresolved }: Resolution,
  { name, column }: Field,
  outcome: FieldOutcome,
): void {
  if (column === null) return;
  if (outcome.value !== undefined) {
    columns[column] = outcome.value;
    answered.push(name);
  }
  if (outcome.unresolved !== undefined) unresolved[name] = outcome.unresolved;
}

/** The source of an enquiry: sent, else by quiz, else the lead's current one. */
export function resolvedSource(
  enquiry: Enquiry,
  { lists }: Reference,
  current: string | null,
): string | null {
  if (enquiry.values.get('source') === null) return null;
  const texts = [...sentTexts(enquiry, 'source'), ...quizTexts(enquiry, 'source')];
  if (texts.length === 0) return current;
  return matchedIds(texts.map((text) => lists.source.resolve(text)))[0] ?? null;
}

/** The outcome of one value; with neither member the value is ignored. */
interface FieldOutcome {
  value?: ColumnValue;
  /** The part of the value, as sent, that matched nothing or several records. */
  unresolved?: string | string[];
}

interface Lists extends Pick<Reference, 'lists'> {
  /** The source that sub-sources must be linked to; null when none resolved. */
  sourceId: string | null;
}

/** A field stored as sent or looked up in a list held in memory (Lookup semantics, 1 to 9). */
function fieldOutcome(field: Field, value: string | string[], context: Lists): FieldOutcome {
  if (field.match === 'exact') return asSent(field, value);
  if (typeof field.match !== 'object') return {};
  const { list } = field.match;
  if (!Array.isArray(value)) return lookedUp(resolveOne(field.name, list, value, context), value);
  return list === 'subSource' ? subSources(value, context) : recognised(list, value, context);
}

function asSent({ type }: Field, value: string | string[]): FieldOutcome {
  if (type !== 'dateTime') return { value };
  const instant = readInstant(value as string);
  return instant ? { value: instant.toISOString() } : {};
}

function lookedUp(outcome: LookupOutcome<Entry>, sent: string): FieldOutcome {
  return outcome.kind === 'matched' ? { value: outcome.entry.id } : { unresolved: sent };
}

/** A developerId that is no uuid is treated as a name (payload table). */
function resolveOne(
  fieldName: string,
  list: ListName,
  text: string,
  { lists }: Lists,
): LookupOutcome<Entry> {
  if (fieldName !== 'developerId' || !isUuid(text.trim())) return lists[list].resolve(text);
  const entry = lists.developer.byId(lookupKey(text));
  return entry ? { kind: 'matched', entry } : { kind: 'unmatched' };
}

/** Of languages the entries that are not recognised are ignored (Lookup semantics, 7). */
function recognised(list: ListName, values: string[], { lists }: Lists): FieldOutcome {
  const ids = matchedIds(values.map((value) => lists[list].resolve(value)));
  return ids.length > 0 ? { value: ids } : {};
}

/** Kept only where linked to the resolved source, ignored entirely without one (Lookup semantics, 5). */
function subSources(values: string[], { lists, sourceId }: Lists): FieldOutcome {
  if (!sourceId) return {};
  const outcomes = values.map((value) => lists.subSource.resolve(subSourceTerm(sourceId, value)));
  const ids = matchedIds(outcomes);
  const unresolved = values.filter((_value, index) => outcomes[index]?.kind !== 'matched');
  return {
    ...(ids.length > 0 ? { value: ids } : {}),
    ...(unresolved.length > 0 ? { unresolved } : {}),
  };
}

function matchedIds(outcomes: readonly LookupOutcome<Entry>[]): string[] {
  const ids = outcomes.flatMap((outcome) => (outcome.kind === 'matched' ? [outcome.entry.id] : []));
  return [...new Set(ids)];
}
