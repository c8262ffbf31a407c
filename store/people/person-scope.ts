import type { Sql } from '../db/database.ts';
import { limitToLeads, type Person, type PersonLead, type SentText } from './find-person.ts';

/** How much of what was found a command takes. */
export interface Scope {
  /** Leads of other contacts too. */
  shared: boolean;
  /** Ids, or their first eight characters or more, of the leads that it is limited to; empty: all. */
  leads: readonly string[];
}

export interface ScopedPerson {
  /** What is exported or erased. */
  person: Person;
  /** Leads of other contacts that name the person, which stay theirs. */
  ofOthers: PersonLead[];
  isLimited: boolean;
  /** The leads that were asked for and not found. */
  unknown: string[];
}

/** A lead that is only near what was asked for counts where it is named. */
export async function applyScope(
  sql: Sql,
  found: Person,
  near: readonly SentText[],
  { shared, leads }: Scope,
): Promise<ScopedPerson> {
  const isLimited = leads.length > 0;
  const isAsked = (id: string) => !isLimited || leads.some((text) => isIdOf(text, id));
  const named = [...found.leads, ...(isLimited ? nearLeads(near) : [])].filter(({ id }) =>
    isAsked(id),
  );
  const own = ownLeads(named, { shared });
  return {
    person: isLimited ? await limitToLeads(sql, found, own) : { ...found, leads: own },
    ofOthers: shared ? [] : named.filter(({ isShared }) => isShared),
    isLimited,
    unknown: leads.filter((text) => !named.some(({ id }) => isIdOf(text, id))),
  };
}

/** The leads that are the person's own; those of other contacts only where they are asked for. */
export function ownLeads(leads: readonly PersonLead[], { shared }: Pick<Scope, 'shared'>) {
  return leads.filter(({ isShared }) => shared || !isShared);
}

const SHORTEST_ID = 8;

function isIdOf(text: string, id: string): boolean {
  return text.length >= SHORTEST_ID && id.startsWith(text.toLowerCase());
}

function nearLeads(near: readonly SentText[]): PersonLead[] {
  const leads = near.map(({ leadId, contactId, createdAt }): PersonLead => ({
    id: leadId,
    contactId,
    createdAt,
    isShared: false,
  }));
  return [...new Map(leads.map((lead) => [lead.id, lead])).values()];
}
