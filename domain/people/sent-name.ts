import { isRecord } from '../canonical-json.ts';

const NAME_FIELDS = ['leadFirstName', 'leadMiddleName', 'leadSecondName', 'leadLastName'];

/** The name in the body of a request. Null if it has none. */
export function sentName(body: unknown): string | null {
  const fields = isRecord(body) ? body : {};
  const values = NAME_FIELDS.map((field) => fields[field]);
  const names = values.flatMap((value) => (typeof value === 'string' && value.trim()) || []);
  return names.join(' ') || null;
}
