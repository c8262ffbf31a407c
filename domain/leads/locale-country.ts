import { withoutInvisible } from '../written-text.ts';
import type { Reference } from '../catalogue/lookups/reference.ts';
import type { Columns } from './columns.ts';
import { textOf, type Enquiry } from './enquiry.ts';

/** Inferred from a trailing two-letter segment of pageUrl when localeCountry is omitted (payload table). */
export function inferredCountry(enquiry: Enquiry, { lists }: Reference): Columns {
  const pageUrl = textOf(enquiry, 'pageUrl');
  if (pageUrl === null || enquiry.values.has('localeCountry')) return {};
  const path = withoutInvisible(pageUrl).trim().split(/[?#]/, 1)[0] ?? '';
  const afterScheme = path.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const last = afterScheme.split('/').slice(1).filter(Boolean).at(-1) ?? '';
  const country = /^[a-z]{2}$/i.test(last) ? lists.country.resolve(last) : null;
  return { locale_country_id: country?.id ?? null };
}
