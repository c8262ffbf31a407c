import type { LookupList } from '../lookups/lookup-list.ts';
import type { Entry } from '../lookups/reference.ts';
import { agentCategories, currencies } from '../lookups/standard-lists.ts';
import { formatPath } from '../../format-path.ts';
import type { Fault } from './dataset-error.ts';
import { namedTexts } from './named-texts.ts';
import { allRecords } from './parse-dataset.ts';
import type { ParsedDataset } from './parse-dataset.ts';
import type { SectionName } from './sections.ts';

/** The code of a language, currency or category, which may be given by name; undefined for none. */
export function codeOf(list: LookupList<Entry>, text: string): string | undefined {
  const outcome = list.resolve(text);
  return outcome.kind === 'matched' ? outcome.entry.id : undefined;
}

export function languageFaults(parsed: ParsedDataset, languages: LookupList<Entry>): Fault[] {
  return unknownCodes(parsed, 'agents', 'languages', languages, 'language');
}

export function standardFaults(parsed: ParsedDataset): Fault[] {
  return [
    ...unknownCodes(parsed, 'agents', 'category', agentCategories, 'category'),
    ...unknownCodes(parsed, 'listings', 'currency', currencies, 'currency'),
  ];
}

function unknownCodes(
  parsed: ParsedDataset,
  section: SectionName,
  field: string,
  list: LookupList<Entry>,
  what: string,
): Fault[] {
  return allRecords(parsed, section)
    .flatMap((record) => namedTexts(section, record, { field }))
    .filter(({ text }) => codeOf(list, text) === undefined)
    .map(({ path, text }) => ({
      place: formatPath(path),
      message: `no ${what} is called "${text}"`,
    }));
}
