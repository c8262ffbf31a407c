const COMPANY = '{company}';

/** A text of a funnel with the company's own name in its place (funnel values). */
export function withCompanyName(text: string, companyName: string): string {
  return text.replaceAll(COMPANY, () => companyName);
}

/** The name as it stands in a funnel's key: `our_company`. */
export function companyKey(companyName: string): string {
  return companyName
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}
