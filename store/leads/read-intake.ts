import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Sql } from '../db/database.ts';
import { ENQUIRY_MEMBERS_SQL, type EnquiryFacts, type LookupKeys } from './enquiry-facts.ts';

/** What a create must know of the database, keyed by what the enquiry names. */
export interface IntakeKeys extends LookupKeys {
  contactPoints: readonly ContactPoint[];
  now: Date;
}

export interface KnownContact {
  id: string;
  markedAsAgent: boolean;
  hasAgentLead: boolean;
  /** The newest lead of the contact whose merge window is over, which a new lead repeats. */
  olderLeadId: string | null;
}

export interface IntakeFacts extends EnquiryFacts {
  contacts: { contactPoint: ContactPoint; holder: KnownContact }[];
  /** Leads with an open merge window, newest first. */
  openLeads: { contactPoint: ContactPoint; holder: { leadId: string } }[];
  isKnownAgent: boolean;
}

/**
 * One statement, whatever the number of phones, e-mails or answers. It also closes the windows that are
 * over by now for these people, so that the constraint on open leads speaks only of open ones.
 */
export async function readIntakeFacts(sql: Sql, keys: IntakeKeys): Promise<IntakeFacts> {
  const row = await sql.queryOne<{ facts: IntakeFacts }>(INTAKE_FACTS_SQL, {
    ...keys,
    kinds: keys.contactPoints.map((contactPoint) => contactPoint.kind),
    values: keys.contactPoints.map((contactPoint) => contactPoint.value),
  });
  if (!row) throw new Error('The intake facts came back empty.');
  return row.facts;
}

const CONTACTS_SQL = `
select jsonb_agg(jsonb_build_object('contactPoint', to_jsonb(keys), 'holder', jsonb_build_object(
  'id', c.id,
  'markedAsAgent', c.marked_as_agent,
  'hasAgentLead', exists (select from leads l where l.contact_id = c.id and l.is_agent_enquiry),
  'olderLeadId', (select l.id from leads l where l.contact_id = c.id and l.merge_window_ends_at <= :now
                  order by l.created_at desc limit 1))))
from keys join contact_points h using (kind, value) join contacts c on c.id = h.contact_id`;

const OPEN_LEADS_SQL = `
select jsonb_agg(jsonb_build_object('contactPoint', to_jsonb(keys), 'holder', jsonb_build_object('leadId', l.id))
  order by l.created_at desc)
from keys join lead_contact_points h using (kind, value) join leads l on l.id = h.lead_id
where h.mergeable and l.merge_window_ends_at > :now`;

const INTAKE_FACTS_SQL = `
with keys as (select * from unnest(:kinds::text[], :values::text[]) as k (kind, value)),
closed as (
  update lead_contact_points h set mergeable = false from keys, leads l
  where h.kind = keys.kind and h.value = keys.value and h.mergeable
    and l.id = h.lead_id and l.merge_window_ends_at <= :now)
select jsonb_build_object(
  'contacts', coalesce((${CONTACTS_SQL}), '[]'),
  'openLeads', coalesce((${OPEN_LEADS_SQL}), '[]'),
  'isKnownAgent', exists (select from keys join known_agents a using (kind, value)),
  ${ENQUIRY_MEMBERS_SQL}) as facts`;
