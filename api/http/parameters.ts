import { ApiError } from '../errors.ts';
import { cleanText } from './clean-text.ts';

/** URL-encoded names and values; one that is repeated becomes a list, which no single-valued schema takes. */
export function parseParameters(text: string): Record<string, string | string[]> {
  const byName = Map.groupBy(new URLSearchParams(text), ([name]) => cleanText(name));
  return Object.fromEntries(Array.from(byName, ([name, pairs]) => [name, valueOf(pairs)]));
}

const MAX_FORM_FIELDS = 1000;

/** A body may be so much longer than a query that its fields are counted before any of them is read. */
export function parseForm(text: string): Record<string, string | string[]> {
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) {
    throw new ApiError('BAD_REQUEST', `The body has more than ${MAX_FORM_FIELDS} fields.`);
  }
  return parseParameters(text);
}

function valueOf(pairs: readonly [name: string, value: string][]): string | string[] {
  const [first = '', ...others] = pairs.map(([, value]) => cleanText(value));
  return others.length === 0 ? first : [first, ...others];
}
