import {
  type Columns,
  emptyColumn,
  type Field,
  fields,
  isEmptyColumn,
  type Unresolved,
} from './fields.ts';
import { type Enquiry, buildEnquiry, type SentValue } from './enquiry.ts';
import { resolveFields } from './lookup-semantics.ts';
import { twinOf } from './column-precedence.ts';
import type { Reference } from '../catalogue/lookups/reference.ts';

/** Without create-only fields: a lead keeps its funnel and owner. */
export function unresolvedValues(flags: Unresolved, current: Columns): Enquiry {
  const values = new Map<string, SentValue>();
  for (const field of fields) {
    const value = flags[field.name];
    const isSent = typeof value === 'string' || Array.isArray(value);
    if (isSent && isOpen(field, current)) values.set(field.name, value);
  }
  return buildEnquiry({ values, adPlatform: null, quiz: null, comments: null });
}

export interface NowKnown {
  reference: Reference;
  sourceId: string | null;
  listings: ReadonlySet<string>;
}

/** An estimate, before `resolveLead` decides. */
export function mayMatch(flags: Unresolved, { reference, sourceId, listings }: NowKnown): boolean {
  const { values } = unresolvedValues(flags, {});
  const { answered } = resolveFields(values, reference, sourceId);
  return answered.length > 0 || unresolvedListings(flags).some((name) => listings.has(name));
}

export function unresolvedListings(flags: Unresolved): string[] {
  return ['listingId', 'referenceNo'].flatMap((field) => {
    const { listingId, referenceNo } = unresolvedValues({ [field]: flags[field] }, {}).keys;
    return listingId ?? referenceNo ?? [];
  });
}

function isOpen({ name, match, column, createOnly }: Field, current: Columns): boolean {
  const isLookup = typeof match === 'object' || match === 'listing';
  if (!isLookup || column === null || createOnly) return false;
  return !twinOf(name) || isEmptyColumn(current[column]);
}

/** Adds to a list what resolves now; the flags hold only its unresolved rest. */
export function joinedLists(columns: Columns, current: Columns): Columns {
  const entries = Object.entries(columns).map(([column, value]) => {
    const before = current[column] ?? emptyColumn(column);
    if (!Array.isArray(value) || !Array.isArray(before)) return [column, value];
    return [column, [...new Set([...(before as string[]), ...(value as string[])])]];
  });
  return Object.fromEntries(entries) as Columns;
}
