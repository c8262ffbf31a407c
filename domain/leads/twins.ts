import type { Columns } from './columns.ts';
import type { Enquiry } from './enquiry.ts';

/** Two fields that name one record of the CRM; the first one wins (payload table). */
interface Twins {
  names: readonly [string, string];
  /** The column of the record. */
  column: string;
  /** The column of the field that set it; null where that is unknown, or where the listing set it. */
  setter: string;
}

export const LISTING_NAMES = ['listingId', 'referenceNo'] as const;

const TWINS: readonly Twins[] = [
  { names: LISTING_NAMES, column: 'listing_id', setter: 'listing_set_by' },
  { names: ['developerId', 'developerName'], column: 'developer_id', setter: 'developer_set_by' },
];

/** The other name of the same record. */
export function twinOf(name: string): string | undefined {
  const names = TWINS.find((twins) => twins.names.includes(name))?.names;
  return names?.find((other) => other !== name);
}

/** A value that names the right record answers the flags of both names. */
export function withTwin(name: string): string[] {
  return [name, twinOf(name) ?? []].flat();
}

/** The names whose null clears their flag alone, since the twin set the lead's record. */
export function nullsBesideTwin({ values }: Enquiry, current: Columns): string[] {
  return TWINS.flatMap(({ names, setter }) => {
    const nulls = names.filter((name) => values.get(name) === null);
    return nulls.length === 1 ? nulls.filter((name) => current[setter] === twinOf(name)) : [];
  });
}

/** By which names the records are set after an enquiry; `setters` are its resolved fields, the best first. */
export function settersAfter(
  columns: Columns,
  { kind, current, setters }: { kind: string; current: Columns; setters: readonly string[] },
): Columns {
  const entries = TWINS.map(({ names, column, setter }) => {
    const [before, after] = [current[column] ?? null, columns[column] ?? null];
    const former = before === after ? (current[setter] ?? null) : null;
    const isKept = after === null || (kind === 'merge' && before !== null);
    return [setter, isKept ? former : (setters.find((name) => names.includes(name)) ?? former)];
  });
  return Object.fromEntries(entries) as Columns;
}
