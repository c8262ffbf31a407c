import { LookupList, lookupKey } from './lookup-list.ts';
import type { FunnelEntry } from './reference.ts';

const COMPANY = '{company}';

/** Ignores case, spaces, hyphens and underscores (funnel values). */
export function funnelKey(text: string): string {
  return lookupKey(text).replace(/[\s_-]+/g, '');
}

export function funnelList(funnels: readonly FunnelEntry[]): LookupList<FunnelEntry> {
  const terms = funnels.map((entry) => ({ entry, texts: [[entry.name, entry.key]] }));
  return new LookupList(terms, funnelKey);
}

/** funnel values */
export function withCompany<Funnel extends Pick<FunnelEntry, 'key' | 'name'>>(
  funnel: Funnel,
  companyName: string,
): Funnel {
  const companyKey = lookupKey(companyName).replace(/[\s-]+/g, '_');
  return {
    ...funnel,
    key: withCompanyName(funnel.key, companyKey),
    name: withCompanyName(funnel.name, companyName),
  };
}

export function withCompanyName(text: string, companyName: string): string {
  return text.replaceAll(COMPANY, () => companyName);
}
