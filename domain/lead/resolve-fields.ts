import { assertNever } from '../assert-never.ts';
import { lookupKey } from '../lookup/lookup-list.ts';
import type { LookupOutcome } from '../lookup/lookup-list.ts';
import type { Entry, Reference } from '../lookup/reference.ts';
import { emptyColumn } from './columns.ts';
import type { Columns, ColumnValue } from './columns.ts';
import { saidTexts } from './enquiry.ts';
import type { Enquiry, SentValue } from './enquiry.ts';
import { fields } from './fields.ts';
import type { Field, ListName } from './fields.ts';
import { readInstant } from './instant.ts';

/** Field name to the original value sent, for what matched nothing or too much. */
export type Unresolved = Record<string, unknown>;

export interface Resolution {
  columns: Columns;
  unresolved: Unresolved;
  /** The fields whose value was taken, or cleared; what was ignored or unmatched is not among them. */
  answered: string[];
}

interface Walk extends Resolution {
  reference: Reference;
  values: ReadonlyMap<string, SentValue>;
  /** The source that sub-sources must be linked to; null when none resolved. */
  sourceId: string | null;
}

/**
 * Every field that is stored as sent or looked up in a list held in memory (Lookup semantics, 1 to 9).
 * `sourceId` is the source that sub-sources must be linked to.
 */
export function resolveFields(
  values: Enquiry['values'],
  reference: Reference,
  sourceId: string | null,
): Resolution {
  const walk: Walk = { reference, values, columns: {}, unresolved: {}, answered: [], sourceId };
  for (const field of fields) resolveField(walk, field);
  return { columns: walk.columns, unresolved: walk.unresolved, answered: walk.answered };
}

/** The source that an enquiry names; the lead's own where it names none. */
export function resolvedSource(
  enquiry: Enquiry,
  { lists }: Reference,
  current: string | null,
): string | null {
  const texts = saidTexts(enquiry, 'source');
  if (texts.length === 0) return enquiry.values.has('source') ? null : current;
  return matchedIds(texts.map((text) => lists.source.resolve(text)))[0] ?? null;
}

function resolveField(walk: Walk, field: Field): void {
  const value = walk.values.get(field.name);
  if (value === undefined || field.column === null || isOverruled(walk, field)) return;
  if (value === null)
    answer(walk, field.name, field.column, walk.columns[field.column] ?? emptyColumn(field.column));
  else if (field.match === 'exact') storeAsSent(walk, field.column, field, value);
  else if (typeof field.match === 'object')
    lookUp(walk, field.column, field, field.match.list, value);
}

function answer(walk: Walk, name: string, column: string, value: ColumnValue): void {
  walk.columns[column] = value;
  walk.answered.push(name);
}

/** developerId wins over developerName (payload table). */
function isOverruled(walk: Walk, field: Field): boolean {
  return field.name === 'developerName' && typeof walk.values.get('developerId') === 'string';
}

function storeAsSent(walk: Walk, column: string, field: Field, value: string | string[]): void {
  if (field.type !== 'dateTime') {
    answer(walk, field.name, column, value);
    return;
  }
  const instant = readInstant(value as string);
  if (instant) answer(walk, field.name, column, instant.toISOString());
}

function lookUp(
  walk: Walk,
  column: string,
  field: Field,
  list: ListName,
  value: string | string[],
): void {
  if (Array.isArray(value)) {
    lookUpEach(walk, column, field, list, value);
    return;
  }
  const outcome = resolveOne(walk.reference, field.name, list, value);
  if (outcome.kind === 'matched') answer(walk, field.name, column, outcome.entry.id);
  else walk.unresolved[field.name] = value;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

function resolveOne(
  reference: Reference,
  fieldName: string,
  list: ListName,
  value: string,
): LookupOutcome<Entry> {
  if (fieldName !== 'developerId' || !isUuid(value.trim()))
    return reference.lists[list].resolve(value);
  const entry = reference.lists.developer.byId(lookupKey(value));
  return entry ? { kind: 'matched', entry } : { kind: 'unmatched' };
}

function lookUpEach(
  walk: Walk,
  column: string,
  field: Field,
  list: ListName,
  values: string[],
): void {
  switch (list) {
    case 'language':
      lookUpLanguages(walk, column, field, values);
      return;
    case 'subSource':
      lookUpSubSources(walk, column, field, values);
      return;
    default:
      throw new Error(`No list field looks up in ${list}`);
  }
}

/** Entries that are not recognised are ignored (Lookup semantics, 7). */
function lookUpLanguages(walk: Walk, column: string, field: Field, values: string[]): void {
  const ids = matchedIds(values.map((value) => walk.reference.lists.language.resolve(value)));
  if (ids.length > 0) answer(walk, field.name, column, ids);
}

/** Kept only where linked to the resolved source, ignored entirely without one (Lookup semantics, 5). */
function lookUpSubSources(walk: Walk, column: string, field: Field, values: string[]): void {
  const { sourceId } = walk;
  if (!sourceId) return;
  const list = walk.reference.lists.subSource;
  const outcomes = values.map((value) => list.resolve(subSourceTerm(sourceId, value)));
  const ids = matchedIds(outcomes);
  const unmatched = values.filter((_value, index) => outcomes[index]?.kind !== 'matched');
  if (ids.length > 0) answer(walk, field.name, column, ids);
  if (unmatched.length > 0) walk.unresolved[field.name] = unmatched;
}

/** Sub-sources of different sources may share a name, so a term carries its source. */
export function subSourceTerm(sourceId: string, text: string): string {
  return `${sourceId}/${text.trim()}`;
}

function matchedIds(outcomes: readonly LookupOutcome<Entry>[]): string[] {
  const ids = outcomes.flatMap((outcome) => {
    switch (outcome.kind) {
      case 'matched':
        return [outcome.entry.id];
      case 'unmatched':
      case 'ambiguous':
        return [];
      default:
        return assertNever(outcome);
    }
  });
  return [...new Set(ids)];
}
