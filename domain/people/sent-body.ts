import { isRecord } from '../canonical-json.ts';
import { readComments } from '../leads/comments.ts';
import type { ContactPoint } from '../leads/contact-points.ts';
import { enquiryFrom } from '../leads/enquiry.ts';
import type { Payload } from '../leads/payload-schema.ts';
import { mapTexts, storableText } from '../written-text.ts';
import { withoutPoints } from './person-search.ts';

const LISTS = new Set(['leadPhones', 'leadEmails']);

/** Removes entries from the lists of a request's body, given as JSON text. Returns the same text if it has none of them. */
export function withoutEntries(body: string, removed: readonly ContactPoint[]): string {
  const parsed: unknown = JSON.parse(body, keepDigits);
  if (!isRecord(parsed)) return body;
  const lists = Object.entries(parsed).flatMap(([field, list]) => {
    const left = LISTS.has(field) && Array.isArray(list) ? entriesLeft(list, removed) : null;
    return left ? [[field, left] as const] : [];
  });
  return lists.length > 0 ? JSON.stringify({ ...parsed, ...Object.fromEntries(lists) }) : body;
}

/** Null if no entry names one of these. */
function entriesLeft(list: readonly unknown[], removed: readonly ContactPoint[]) {
  const left = list.map((entry) =>
    typeof entry === 'string' ? withoutPoints(entry, removed) : undefined,
  );
  if (left.every((points) => points === undefined)) return null;
  return list.flatMap((entry, at) => left[at]?.map(({ value }) => value) ?? [entry]);
}

/** The types lack this proposal, which Node has. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** Keeps all digits of a number, which may be more than JavaScript holds. */
function keepDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' && source !== undefined ? rawJSON(source) : value;
}

/** A name that requests used for a person, and the leads that have it. */
export interface SentName {
  name: string;
  leadIds: string[];
}

const NAME_FIELDS = ['leadFirstName', 'leadMiddleName', 'leadSecondName', 'leadLastName'];

/** A stored body as intake reads it: empty after an erasure. */
export function storedPayload(body: unknown): Payload {
  return (mapTexts(body, storableText) ?? {}) as Payload;
}

/** The name in the body of a request, as one text. Empty if it has none. */
export function sentNameOf(body: unknown): string {
  const fields: Readonly<Record<string, unknown>> = storedPayload(body);
  const parts = NAME_FIELDS.map((field) => fields[field]);
  return joinName(parts.filter((part) => typeof part === 'string'));
}

/** What a request says in words of the customer. */
export function sentWordsOf(body: unknown) {
  const { values, comments } = enquiryFrom(storedPayload(body), 'update', []);
  return {
    name: sentNameOf(body) || null,
    message: values.get('initialInquiry') ?? null,
    comments: readComments(comments, []).added.map(({ text }) => text),
  };
}

export function joinName(parts: readonly (string | null)[]): string {
  return parts.flatMap((part) => part?.trim() || []).join(' ');
}

/** Collects each name once, in order of arrival, with the leads that have it. */
export function collectNames(sent: readonly { leadId: string; name: string }[]): SentName[] {
  const names = new Map<string, SentName>();
  for (const { leadId, name } of sent) {
    if (name === '') continue;
    const known = names.get(name.toLowerCase()) ?? { name, leadIds: [] };
    if (!known.leadIds.includes(leadId)) known.leadIds.push(leadId);
    names.set(name.toLowerCase(), known);
  }
  return [...names.values()];
}
