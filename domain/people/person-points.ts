import { createHmac } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isRecord } from '../canonical-json.ts';
import { localForm } from '../dncr/number.ts';
import { contactPointKey, readContactPoints, type ContactPoint } from '../leads/contact-points.ts';

/** Identifies an erasure record. A contact without a phone or email has only its id. */
export type Identity = ContactPoint | { kind: 'contact'; value: string };

export function hashIdentity({ kind, value }: Identity, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`contact-point:${kind}:${value}`).digest();
}

export function mobileNumbers(contactPoints: readonly ContactPoint[]): string[] {
  return contactPoints.flatMap(({ kind, value }) => (kind === 'phone' && localForm(value)) || []);
}

export function searchTextOf({ kind, value }: ContactPoint): string {
  if (kind === 'email') return value;
  return parsePhoneNumberFromString(value)?.nationalNumber ?? value.replace(/\D/g, '');
}

/** A changed entry becomes one entry for each contact point that is left. Returns the same list if none changed. */
export function withoutPoints<Entry>(
  entries: readonly Entry[],
  removed: readonly ContactPoint[],
): readonly (Entry | string)[] {
  const keys = removed.map(contactPointKey);
  const isRemoved = (point: ContactPoint) => keys.includes(contactPointKey(point));
  const left = entries.map((entry) => {
    const read = typeof entry === 'string' ? readContactPoints(entry) : [];
    if (!read.some(isRemoved)) return [entry];
    return read.filter((point) => !isRemoved(point)).map(({ value }) => value);
  });
  return left.every(([entry], at) => entry === entries[at]) ? entries : left.flat();
}

const LISTS = ['leadPhones', 'leadEmails'];

export function withoutEntries(body: string, removed: readonly ContactPoint[]): string {
  const parsed = parseVerbatim(body);
  if (!isRecord(parsed)) return body;
  const changed = LISTS.flatMap((field) => {
    const list = parsed[field];
    const left = Array.isArray(list) ? withoutPoints(list, removed) : list;
    return left === list ? [] : [[field, left]];
  });
  return changed.length > 0 ? JSON.stringify({ ...parsed, ...Object.fromEntries(changed) }) : body;
}

/** The types lack this proposal, which Node has. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** Keeps all digits of a number, which may be more than a double holds. */
export function parseVerbatim(json: string): unknown {
  const keepDigits = (_key: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && source !== undefined ? rawJSON(source) : value;
  return JSON.parse(json, keepDigits);
}
