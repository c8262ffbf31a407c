import type { LookupList } from '../lookup/lookup-list.ts';
import type { Entry } from '../lookup/reference.ts';
import { agentCategories, currencies } from '../lookup/standard-lists.ts';
import { placeText } from './fault.ts';
import type { Fault } from './fault.ts';
import type { Dataset } from './sections.ts';

/** The code of a language, currency or category, which may be given by name; undefined for none. */
export function codeOf(list: LookupList<Entry>, text: string): string | undefined {
  const outcome = list.resolve(text);
  return outcome.kind === 'matched' ? outcome.entry.id : undefined;
}

export function languageFaults({ agents = [] }: Dataset, languages: LookupList<Entry>): Fault[] {
  return agents.flatMap(({ value, index }) =>
    value.languages.flatMap((language, at) =>
      unknown(languages, language, 'language', ['agents', index, 'languages', at]),
    ),
  );
}

export function standardFaults({ agents = [], listings = [] }: Dataset): Fault[] {
  const categories = agents.flatMap(({ value, index }) =>
    unknown(agentCategories, value.category, 'category', ['agents', index, 'category']),
  );
  const codes = listings.flatMap(({ value, index }) =>
    unknown(currencies, value.currency, 'currency', ['listings', index, 'currency']),
  );
  return [...categories, ...codes];
}

function unknown(
  list: LookupList<Entry>,
  text: string | null,
  what: string,
  path: readonly PropertyKey[],
): Fault[] {
  if (text === null || codeOf(list, text) !== undefined) return [];
  return [{ place: placeText(path), message: `no ${what} is called "${text}"` }];
}
