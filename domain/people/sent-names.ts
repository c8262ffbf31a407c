/** A name under which requests spoke of a person, and in which leads. */
export interface SentName {
  name: string;
  leadIds: string[];
}

const NAME_FIELDS = ['leadFirstName', 'leadMiddleName', 'leadSecondName', 'leadLastName'];

/** The name that the body of a request has, in one text; empty where it has none. */
export function sentNameOf(body: unknown): string {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const parts = NAME_FIELDS.map((field) => fields[field]);
  return joinName(parts.filter((part) => typeof part === 'string'));
}

export function joinName(parts: readonly (string | null)[]): string {
  return parts.flatMap((part) => part?.trim() || []).join(' ');
}

/** Each name once, in the order in which they came, with the leads that have it. */
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
