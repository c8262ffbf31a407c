import type { LookupList } from '../lookup/lookup-list.ts';
import type { Entry } from '../lookup/reference.ts';

/** The country that the trailing two-letter segment of a page's path names, if it names one. */
export function countryOfPage(pageUrl: string, countries: LookupList<Entry>): Entry | null {
  const path = pageUrl.trim().split(/[?#]/, 1)[0]?.replace(/\/+$/, '') ?? '';
  const afterScheme = path.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const segments = afterScheme.split('/');
  const last = segments.length > 1 ? segments.at(-1) : undefined;
  if (!last || !/^[a-z]{2}$/i.test(last)) return null;
  const outcome = countries.resolve(last);
  return outcome.kind === 'matched' ? outcome.entry : null;
}
