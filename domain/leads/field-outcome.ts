import { subSourceTerm } from '../catalogue/lookups/crm-lists.ts';
import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import type { Entry, LookupOutcome } from '../catalogue/lookups/lookup-list.ts';
import type { Reference } from '../catalogue/lookups/reference.ts';
import { isUuid } from '../uuid.ts';
import type { ColumnValue } from './columns.ts';
import type { Field, ListName } from './fields.ts';
import { readInstant } from './instant.ts';

/** What one value comes to. Neither: it is ignored. */
export interface FieldOutcome {
  /** For the column. */
  value?: ColumnValue;
  /** Of the value as sent, what matched nothing or too much. */
  unresolved?: string | string[];
}

export interface Lists extends Pick<Reference, 'lists'> {
  /** The source that sub-sources must be linked to; null when none resolved. */
  sourceId: string | null;
}

/** A field stored as sent or looked up in a list held in memory (Lookup semantics, 1 to 9). */
export function fieldOutcome(field: Field, value: string | string[], context: Lists): FieldOutcome {
  if (field.match === 'exact') return asSent(field, value);
  if (typeof field.match !== 'object') return {};
  const { list } = field.match;
  return Array.isArray(value)
    ? eachLookedUp(list, value, context)
    : lookedUp(resolveOne(field.name, list, value, context), value);
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

function eachLookedUp(list: ListName, values: string[], context: Lists): FieldOutcome {
  switch (list) {
    case 'language':
      return languages(values, context);
    case 'subSource':
      return subSources(values, context);
    default:
      throw new Error(`No list field looks up in ${list}`);
  }
}

/** Entries that are not recognised are ignored (Lookup semantics, 7). */
function languages(values: string[], { lists }: Lists): FieldOutcome {
  const ids = matchedIds(values.map((value) => lists.language.resolve(value)));
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

export function matchedIds(outcomes: readonly LookupOutcome<Entry>[]): string[] {
  const ids = outcomes.flatMap((outcome) => (outcome.kind === 'matched' ? [outcome.entry.id] : []));
  return [...new Set(ids)];
}
