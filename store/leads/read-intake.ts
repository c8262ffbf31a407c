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
  /** Another transaction has locked a merge window that is over, so that it could not be closed. */
  hasLockedWindow: boolean;
}

/**
 * The facts of each enquiry, in order; one statement, whatever the number of enquiries, phones, e-mails or
 * answers. It also closes the windows that are over by now for these people, so that the constraint on open
 * leads speaks only of open ones; `locked` says whether it waits for those that another transaction has locked.
 */
export async function readIntakeFacts(
  sql: Sql,
  enquiries: readonly IntakeKeys[],
  { locked }: { locked: 'skip' | 'wait' },
): Promise<IntakeFacts[]> {
  const points = enquiries.flatMap(({ contactPoints }, index) =>
    contactPoints.map((point) => ({ ...point, n: index + 1 })),
  );
  const rows = await sql.query<{ facts: IntakeFacts }>(INTAKE_FACTS_SQL[locked], {
    nows: enquiries.map(({ now }) => now),
    listingIds: enquiries.map(({ listingId }) => listingId),
    referenceNos: enquiries.map(({ referenceNo }) => referenceNo),
    platformCampaignIds: enquiries.map(({ platformCampaignId }) => platformCampaignId),
    campaignNameKeys: enquiries.map(({ campaignNameKey }) => campaignNameKey),
    blockIdentities: enquiries.map(({ blockIdentity }) => blockIdentity),
    quizKeys: enquiries.map(({ quizKey }) => quizKey),
    ns: points.map(({ n }) => n),
    kinds: points.map(({ kind }) => kind),
    values: points.map(({ value }) => value),
  });
  return rows.map(({ facts }) => facts);
}

/**
 * Each phone and e-mail is searched for by itself (`offset 0` keeps it so): the planner, which knows the
 * share of open leads only from the last analysis, would else read the whole index of open leads.
 */
const intakeFactsSql = (lock: string) => `
with e as materialized (
  select * from unnest(:nows::timestamptz[], :listingIds::uuid[], :referenceNos::text[],
    :platformCampaignIds::text[], :campaignNameKeys::text[], :blockIdentities::text[], :quizKeys::text[])
    with ordinality as e (now, listing_id, reference_no, platform_campaign_id, campaign_name_key,
                          block_identity, quiz_key, n)),
keys as materialized (
  select k.*, e.now from unnest(:ns::int[], :kinds::text[], :values::text[]) as k (n, kind, value) join e using (n)),
held as materialized (
  select k.n, k.kind, k.value, h.lead_id, l.created_at, l.merge_window_ends_at > k.now as is_open
  from keys k
  cross join lateral (
    select lead_id from lead_contact_points where kind = k.kind and value = k.value and mergeable offset 0) h
  cross join lateral (select created_at, merge_window_ends_at from leads where id = h.lead_id offset 0) l),
ended as materialized (
  select held.n, h.* from held
  cross join lateral (
    select lead_id, kind, value from lead_contact_points
    where (lead_id, kind, value) = (held.lead_id, held.kind, held.value) and mergeable
    ${lock}) h
  where not held.is_open),
closed as (
  update lead_contact_points h set mergeable = false from ended
  where (h.lead_id, h.kind, h.value) = (ended.lead_id, ended.kind, ended.value)),
open_leads as (
  select n, jsonb_agg(jsonb_build_object(
    'contactPoint', jsonb_build_object('kind', kind, 'value', value),
    'holder', jsonb_build_object('leadId', lead_id)) order by created_at desc) as found
  from held where is_open group by n),
holders as (
  select k.n, jsonb_agg(jsonb_build_object(
    'contactPoint', jsonb_build_object('kind', k.kind, 'value', k.value),
    'holder', jsonb_build_object(
      'id', c.id,
      'markedAsAgent', c.marked_as_agent,
      'hasAgentLead', exists (select from leads l where l.contact_id = c.id and l.is_agent_enquiry),
      'olderLeadId', (select l.id from leads l where l.contact_id = c.id and l.merge_window_ends_at <= k.now
                      order by l.created_at desc limit 1)))) as found
  from keys k
  cross join lateral (select contact_id from contact_points where kind = k.kind and value = k.value offset 0) h
  cross join lateral (select id, marked_as_agent from contacts where id = h.contact_id offset 0) c
  group by k.n),
agents as (
  select distinct n from keys k
  where exists (select from known_agents a where a.kind = k.kind and a.value = k.value))
select jsonb_build_object(
  'contacts', coalesce((select found from holders where holders.n = e.n), '[]'),
  'openLeads', coalesce((select found from open_leads where open_leads.n = e.n), '[]'),
  'isKnownAgent', exists (select from agents where agents.n = e.n),
  'hasLockedWindow', (select count(*) from held where held.n = e.n and not is_open)
    > (select count(*) from ended where ended.n = e.n),
  ${ENQUIRY_MEMBERS_SQL}) as facts
from e order by e.n`;

const INTAKE_FACTS_SQL = {
  skip: intakeFactsSql('for update skip locked'),
  wait: intakeFactsSql('for update'),
};
