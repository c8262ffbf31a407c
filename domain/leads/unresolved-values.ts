import { emptyColumn, isEmptyColumn } from './columns.ts';
import type { Columns } from './columns.ts';
import type { Enquiry, SentValue } from './enquiry.ts';
import { fields } from './fields.ts';
import type { Field } from './fields.ts';
import { listingKey } from './listing-inheritance.ts';
import { resolveFields } from './lookup-semantics.ts';
import type { Unresolved } from './lookup-semantics.ts';
import type { Reference } from '../catalogue/lookups/reference.ts';

/**
 * What a lead's flags still ask for, as an enquiry: the values that were sent for lookups. Create-only
 * fields are not among them, since a lead that is on its way is not moved to another board or owner.
 */
export function unresolvedValues(flags: Unresolved, current: Columns): Enquiry {
  const values = new Map<string, SentValue>();
  for (const field of fields) {
    const value = flags[field.name];
    if (isSentValue(value) && isOpen(field, current)) values.set(field.name, value);
  }
  return { values, adPlatform: null, quiz: null, comments: null };
}

export interface NowKnown {
  reference: Reference;
  /** The source that the lead has by now. */
  sourceId: string | null;
  /** Of the ids and reference numbers asked for, those that a listing has. */
  listings: ReadonlySet<string>;
}

/** Whether anything that the flags ask for may match by now; only the lead itself tells for certain. */
export function mayMatch(flags: Unresolved, { reference, sourceId, listings }: NowKnown): boolean {
  const { values } = unresolvedValues(flags, {});
  const { answered } = resolveFields(values, reference, sourceId);
  return answered.length > 0 || unresolvedListings(flags).some((name) => listings.has(name));
}

/** The listings that the flags ask for, by id or by reference number. */
export function unresolvedListings(flags: Unresolved): string[] {
  return ['listingId', 'referenceNo'].flatMap((field) => {
    const { values } = unresolvedValues({ [field]: flags[field] }, {});
    const { id, referenceNo } = listingKey({
      values,
      adPlatform: null,
      quiz: null,
      comments: null,
    });
    return id ?? referenceNo ?? [];
  });
}

function isSentValue(value: unknown): value is string | string[] {
  return typeof value === 'string' || Array.isArray(value);
}

/** Where two fields name one record and the lead has one by now, a later word may have named it. */
const TWINS: ReadonlySet<string> = new Set([
  'developerName',
  'developerId',
  'listingId',
  'referenceNo',
]);

function isOpen({ name, match, column, createOnly }: Field, current: Columns): boolean {
  const isLookup = typeof match === 'object' || match === 'listing';
  if (!isLookup || column === null || createOnly) return false;
  return !TWINS.has(name) || isEmptyColumn(current[column]);
}

/** What was resolved before stays in a list: only the rest of it was asked for. */
export function joinedLists(columns: Columns, current: Columns): Columns {
  const entries = Object.entries(columns).map(([column, value]) => {
    const before = current[column] ?? emptyColumn(column);
    if (!Array.isArray(value) || !Array.isArray(before)) return [column, value];
    return [column, [...new Set([...(before as string[]), ...(value as string[])])]];
  });
  return Object.fromEntries(entries) as Columns;
}
