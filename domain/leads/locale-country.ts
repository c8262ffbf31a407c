import type { Entry, LookupList } from '../catalogue/lookups/lookup-list.ts';
import type { Reference } from '../catalogue/lookups/reference.ts';
import type { Columns } from './columns.ts';
import { textOf, type Enquiry } from './enquiry.ts';

/** Inferred from a trailing two-letter segment of pageUrl when localeCountry is omitted (payload table). */
export function inferredCountry(enquiry: Enquiry, { lists }: Reference): Columns {
  const pageUrl = textOf(enquiry, 'pageUrl');
  if (pageUrl === null || enquiry.values.has('localeCountry')) return {};
  return { locale_country_id: countryOfPage(pageUrl, lists.country)?.id ?? null };
}

/** The country that the trailing two-letter segment of a page's path names, if it names one. */
function countryOfPage(pageUrl: string, countries: LookupList<Entry>): Entry | null {
  const path = pageUrl.trim().split(/[?#]/, 1)[0] ?? '';
  const afterScheme = path.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const last = afterScheme.split('/').slice(1).filter(Boolean).at(-1);
  if (!last || !/^[a-z]{2}$/i.test(last)) return null;
  const outcome = countries.resolve(last);
  return outcome.kind === 'matched' ? outcome.entry : null;
}
