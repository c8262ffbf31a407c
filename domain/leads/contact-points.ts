import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { createHash } from 'node:crypto';

/** A phone or an e-mail in the one form in which it is compared. */
export interface Handle {
  kind: 'phone' | 'email';
  value: string;
}

/** E.164 where it can be read, national numbers as UAE numbers; else the text as it came. */
export function phoneHandle(text: string): Handle {
  const phone = parsePhoneNumberFromString(text, 'AE');
  if (!phone?.isPossible()) return { kind: 'phone', value: comparable(text) };
  return { kind: 'phone', value: phone.ext ? `${phone.number};ext=${phone.ext}` : phone.number };
}

export function emailHandle(text: string): Handle {
  return { kind: 'email', value: comparable(text) };
}

/** Direction marks and the like come along unseen when Arabic text is copied. */
const INVISIBLE = /\p{Cf}/gu;

/** What shows nothing at all, and so would be the same as everyone's, stays as it came. */
function comparable(text: string): string {
  const shown = text.replace(INVISIBLE, '').trim();
  return (shown === '' ? text.trim() : shown).toLowerCase();
}

/** Every phone and e-mail of an enquiry. Phones first, in the order sent, then e-mails: the order in which a person is looked for. */
export function handlesOf(phones: readonly string[], emails: readonly string[]): Handle[] {
  return distinct([...phones.map(phoneHandle), ...emails.map(emailHandle)]);
}

export function handleKey(handle: Handle): string {
  return `${handle.kind}:${handle.value}`;
}

function distinct(handles: readonly Handle[]): Handle[] {
  return [...new Map(handles.map((handle) => [handleKey(handle), handle])).values()];
}

/** The entries whose handle is not among the known ones, once each. */
export function unseenEntries(
  entries: readonly string[],
  toHandle: (text: string) => Handle,
  known: Iterable<Handle>,
): string[] {
  const seen = new Set([...known].map(handleKey));
  return entries.filter((entry) => {
    const key = handleKey(toHandle(entry));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * The advisory locks that stand for these keys, as signed 64-bit integers in ascending order: two
 * enquiries of one person take them in the same order, so neither can hold what the other waits for.
 */
export function lockNumbers(keys: readonly string[]): string[] {
  const numbers = keys.map((key) => createHash('sha256').update(key).digest().readBigInt64BE(0));
  return [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1)).map(String);
}
