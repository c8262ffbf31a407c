import type { Handle } from '../../domain/lead/handles.ts';
import type { Listing } from '../../domain/lead/listing-inheritance.ts';
import type { Sql } from '../database.ts';
import type { LeadRow } from './lead-row.ts';
import { campaign, listings, quizQuestions } from './read-intake.ts';
import type { QuizQuestion } from './read-intake.ts';

export interface AttachmentQuestions {
  leadId: string;
  listingId: string | null;
  referenceNo: string | null;
  platformCampaignId: string | null;
  campaignNameKey: string | null;
  adPlatformLeadId: string | null;
  quizKey: string | null;
}

/** A lead as a merged enquiry or an update finds it. */
export interface LeadAttachments {
  lead: LeadRow;
  handles: Handle[];
  externalIds: string[];
  hasBlock: boolean;
  listings: Listing[];
  campaign: { id: string; name: string | null } | null;
  blockHolder: string | null;
  quizQuestions: QuizQuestion[];
  /** The current answers of the quiz as they were sent, in order. */
  quizAnswers: unknown[];
}

/** One statement. The lead is locked before, in a statement of its own, so that this one sees it as it is. */
export async function readAttachments(
  sql: Sql,
  questions: AttachmentQuestions,
): Promise<LeadAttachments | null> {
  const [row] = await sql.query<{ found: LeadAttachments }>(STATEMENT, [
    questions.leadId,
    questions.listingId,
    questions.referenceNo,
    questions.platformCampaignId,
    questions.campaignNameKey,
    questions.adPlatformLeadId,
    questions.quizKey,
  ]);
  return row?.found ?? null;
}

/** JSON numbers would lose the scale of a decimal, and the form of a time differs from ours. */
export const LEAD_AS_JSON = `to_jsonb(l) || jsonb_build_object(
  'budget_min', l.budget_min::text,
  'budget_max', l.budget_max::text,
  'submitted_at', to_char(l.submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

const STATEMENT = `
select jsonb_build_object(
  'lead', ${LEAD_AS_JSON},
  'handles', coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'value', value))
                       from lead_handles where lead_id = l.id), '[]'),
  'externalIds', coalesce((select jsonb_agg(external_id) from comments
                           where lead_id = l.id and external_id is not null), '[]'),
  'hasBlock', exists (select from ad_platform_blocks where lead_id = l.id),
  'listings', coalesce((${listings('$2::uuid', '$3')}), '[]'),
  'campaign', (${campaign('$4', '$5')}),
  'blockHolder', (select lead_id from ad_platform_blocks where ad_platform_lead_id = $6),
  'quizQuestions', coalesce((${quizQuestions('$7')}), '[]'),
  'quizAnswers', coalesce((select jsonb_agg(raw order by position) from quiz_answers
                           where lead_id = l.id and quiz_key = $7 and superseded_at is null), '[]')) as found
from leads l where l.id = $1`;
