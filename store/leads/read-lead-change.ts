import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Listing } from '../../domain/leads/listing-inheritance.ts';
import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';
import {
  ENQUIRY_MEMBERS_SQL,
  ENQUIRY_ROW_SQL,
  type EnquiryFacts,
  type LookupKeys,
} from './enquiry-facts.ts';
import type { LeadRow } from './lead-tables.ts';
import { agentAsJson } from '../assignment/read-assignment.ts';

/** A lead as a merged enquiry or an update finds it. */
export interface LeadChangeInputs extends EnquiryFacts {
  lead: LeadRow;
  owner: AgentView | null;
  /** What the lead's listing hands down today. */
  currentListing: Pick<Listing, 'locationId' | 'bedrooms'> | null;
  contactPoints: ContactPoint[];
  /** Of its comments. */
  externalIds: string[];
  /** The current answers of the quiz as they were sent, in order. */
  quizAnswers: unknown[];
}

/** One statement. The lead is locked before, in a statement of its own, so that this one sees it as it is. */
export async function readLeadChangeInputs(
  sql: Sql,
  leadId: string,
  keys: LookupKeys,
): Promise<LeadChangeInputs | null> {
  const values = { ...keys, leadId };
  const row = await sql.queryOne<{ found: LeadChangeInputs }>(LEAD_CHANGE_SQL, values);
  return row && row.found;
}

/** JSON numbers would lose the scale of a decimal, and the form of a time differs from ours. */
export const LEAD_AS_JSON = `to_jsonb(l) || jsonb_build_object(
  'budget_min', l.budget_min::text,
  'budget_max', l.budget_max::text,
  'submitted_at', ${utcText('l.submitted_at')})`;

const LEAD_CHANGE_SQL = `
select jsonb_build_object(
  'lead', ${LEAD_AS_JSON},
  'owner', ${agentAsJson('g')},
  'currentListing', (select jsonb_build_object('locationId', location_id, 'bedrooms', bedrooms)
                     from listings where id = l.listing_id),
  'contactPoints', coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'value', value))
                       from lead_contact_points where lead_id = l.id), '[]'),
  'externalIds', coalesce((select jsonb_agg(external_id) from comments
                           where lead_id = l.id and external_id is not null), '[]'),
  ${ENQUIRY_MEMBERS_SQL},
  'quizAnswers', coalesce((select jsonb_agg(raw order by position) from quiz_answers
                           where lead_id = l.id and quiz_key = e.quiz_key and superseded_at is null), '[]')) as found
from leads l cross join ${ENQUIRY_ROW_SQL} left join agents g on g.id = l.owner_id where l.id = :leadId`;
