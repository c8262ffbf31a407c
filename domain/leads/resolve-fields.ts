import type { Reference } from '../catalogue/lookups/reference.ts';
import { emptyColumn } from './columns.ts';
import type { Columns } from './columns.ts';
import { quizTexts, sentTexts } from './enquiry.ts';
import type { Enquiry, SentValue } from './enquiry.ts';
import { fieldOutcome, matchedIds } from './field-outcome.ts';
import { fields } from './fields.ts';
import type { Field } from './fields.ts';

/** Field name to the original value sent, for what matched nothing or too much. */
export type Unresolved = Record<string, unknown>;

export interface Resolution {
  columns: Columns;
  unresolved: Unresolved;
  /** The fields whose value was taken, or cleared; what was ignored or unmatched is not among them. */
  answered: string[];
}

/** All fields with a value, in the order of the field table; `sourceId` is what sub-sources hang on. */
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

/** Where two fields name one record, null for the one does not undo the other. */
function clear({ columns, answered }: Resolution, { name, column }: Field): void {
  if (column === null) return;
  columns[column] ??= emptyColumn(column);
  answered.push(name);
}

function take(
  { columns, answered, unresolved }: Resolution,
  { name, column }: Field,
  outcome: ReturnType<typeof fieldOutcome>,
): void {
  if (column === null) return;
  if (outcome.value !== undefined) {
    columns[column] = outcome.value;
    answered.push(name);
  }
  if (outcome.unresolved !== undefined) unresolved[name] = outcome.unresolved;
}

/** The source that an enquiry names, sent before quiz; the lead's own where it names none. */
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
