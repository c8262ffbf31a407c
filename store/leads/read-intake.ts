import type { Handle } from '../../domain/lead/handles.ts';
import type { Listing } from '../../domain/lead/listing-inheritance.ts';
import type { Sql } from '../database.ts';

/** What a create must know of the database, keyed by what the enquiry names. */
export interface IntakeQuestions {
  handles: readonly Handle[];
  now: Date;
  listingId: string | null;
  /** In lower case. */
  referenceNo: string | null;
  platformCampaignId: string | null;
  campaignNameKey: string | null;
  adPlatformLeadId: string | null;
  quizKey: string | null;
}

export interface KnownContact {
  id: string;
  markedAsAgent: boolean;
  hasAgentLead: boolean;
  /** The newest lead of the contact whose merge window is over. */
  olderLeadId: string | null;
}

export interface QuizQuestion {
  question: string;
  options: string[];
}

export interface IntakeFacts {
  contacts: { handle: Handle; holder: KnownContact }[];
  /** Leads with an open merge window, newest first. */
  openLeads: { handle: Handle; holder: { leadId: string } }[];
  isKnownAgent: boolean;
  listings: Listing[];
  campaign: { id: string; name: string | null } | null;
  blockHolder: string | null;
  quizQuestions: QuizQuestion[];
}

/**
 * One statement, whatever the number of phones, e-mails or answers. It also closes the windows that are
 * over by now for these people, so that the constraint on open leads speaks only of open ones.
 */
export async function readIntakeFacts(sql: Sql, questions: IntakeQuestions): Promise<IntakeFacts> {
  const [row] = await sql.query<{ facts: IntakeFacts }>(STATEMENT, [
    questions.handles.map((handle) => handle.kind),
    questions.handles.map((handle) => handle.value),
    questions.now,
    questions.listingId,
    questions.referenceNo,
    questions.platformCampaignId,
    questions.campaignNameKey,
    questions.adPlatformLeadId,
    questions.quizKey,
  ]);
  if (!row) throw new Error('The intake facts came back empty.');
  return row.facts;
}

const CONTACTS = `
select jsonb_agg(jsonb_build_object('handle', to_jsonb(keys), 'holder', jsonb_build_object(
  'id', c.id,
  'markedAsAgent', c.marked_as_agent,
  'hasAgentLead', exists (select from leads l where l.contact_id = c.id and l.is_agent_enquiry),
  'olderLeadId', (select l.id from leads l where l.contact_id = c.id and l.merge_window_ends_at <= $3
                  order by l.created_at desc limit 1))))
from keys join contact_handles h using (kind, value) join contacts c on c.id = h.contact_id`;

const OPEN_LEADS = `
select jsonb_agg(jsonb_build_object('handle', to_jsonb(keys), 'holder', jsonb_build_object('leadId', l.id))
  order by l.created_at desc)
from keys join lead_handles h using (kind, value) join leads l on l.id = h.lead_id
where h.mergeable and l.merge_window_ends_at > $3`;

/** The parameters are named by the caller: its position in the statement differs. */
export const listings = (id: string, referenceNo: string) => `
select jsonb_agg(jsonb_build_object(
  'id', id, 'referenceNo', reference_no, 'purpose', purpose, 'market', market, 'price', price::text,
  'priceOnApplication', price_on_application, 'currency', currency, 'bedrooms', bedrooms,
  'developerId', developer_id, 'locationId', location_id, 'propertyTypeId', property_type_id,
  'agentId', agent_id))
from (select * from listings where enabled and (id = ${id} or lower(reference_no) = ${referenceNo}) limit 2) found`;

export const campaign = (platformId: string, nameKey: string) => `
select jsonb_build_object('id', id, 'name', name) from advertising_campaigns
where platform_campaign_id = ${platformId}
   or (${platformId}::text is null and platform_campaign_id is null and name_key = ${nameKey})`;

export const quizQuestions = (quizKey: string) => `
select jsonb_agg(jsonb_build_object('question', question, 'options', options)) from quiz_questions
where quiz_key = ${quizKey}`;

const STATEMENT = `
with keys as (select * from unnest($1::text[], $2::text[]) as k (kind, value)),
closed as (
  update lead_handles h set mergeable = false from keys, leads l
  where h.kind = keys.kind and h.value = keys.value and h.mergeable
    and l.id = h.lead_id and l.merge_window_ends_at <= $3)
select jsonb_build_object(
  'contacts', coalesce((${CONTACTS}), '[]'),
  'openLeads', coalesce((${OPEN_LEADS}), '[]'),
  'isKnownAgent', exists (select from keys join known_agents a using (kind, value)),
  'listings', coalesce((${listings('$4::uuid', '$5')}), '[]'),
  'campaign', (${campaign('$6', '$7')}),
  'blockHolder', (select lead_id from ad_platform_blocks where ad_platform_lead_id = $8),
  'quizQuestions', coalesce((${quizQuestions('$9')}), '[]')) as facts`;
