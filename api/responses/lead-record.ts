import { z } from 'zod';
import { fields, type Field } from '../../domain/leads/fields.ts';
import { adPlatformShape, blockText } from '../../domain/leads/ad-platform.ts';
import type { Entry } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import { agentViewSchema, entrySchema, eventData } from '../../domain/webhooks/event-payloads.ts';
import type { LeadRow } from '../../store/leads/lead-json.ts';
import { namedObject } from '../http/route.ts';
import type { IntakeRequest } from '../leads/apply-submission.ts';
import type { DecidedLead } from '../leads/decide-new-lead.ts';

export const commentCount = namedObject('CommentCount', {
  added: z.int().describe('Comments that were added.'),
  skipped: z.int().meta({
    description:
      'Comments that were skipped: beyond the fifth, without text, with an unreadable date, or already known.',
  }),
})
  .optional()
  .describe('Number of comments added and skipped, if any were sent.');

export const ownerNow = agentViewSchema.nullable().meta({
  description: 'Owner at the time of the response. Null if the lead has none, or if not decided.',
});

function fieldSchema({ name, type, match }: Field): z.ZodType {
  if (match === 'contactPoint')
    return z.array(z.string()).describe('All that the lead has, as they were sent.');
  if (type === 'texts') return z.array(entrySchema).describe('Records that the entries matched.');
  const isRecord =
    typeof match === 'object' || match === 'advertisingCampaign' || match === 'listing';
  if (isRecord) return entrySchema.nullable().describe('Record that the value matched.');
  return z.string().nullable().describe(`Value of \`${name}\` as stored.`);
}

const stage = namedObject('Stage', {
  id: z.string().describe('Id of the stage.'),
  name: z.string().describe('Name of the stage.'),
  funnel: entrySchema.describe('Funnel of the stage.'),
});

const storedAdPlatform = z.looseObject(adPlatformShape).meta({ id: 'StoredAdPlatform' });

export const intakeUnresolved = z.record(z.string(), z.unknown()).nullable().meta({
  description:
    'Values that matched nothing, by the name of the field that was sent. Null if all matched. For a quiz answer the name is `quiz.<quizKey>.<questionKey>`, with the keys as they were sent.',
});

const created = eventData['lead.created'].shape;

export const leadRecordSchema = namedObject('Lead', {
  id: z.uuid().describe('Id for updates of the lead, its assignment and its response time.'),
  contactId: created.contactId,
  intakeUnresolved,
  needsIntakeReview: created.needsIntakeReview,
  merged: z.literal(false).describe('Always false: the lead is new.'),
  isRepeatLead: created.isRepeatLead,
  repeatOfLeadId: created.repeatOfLeadId,
  isAgentEnquiry: created.isAgentEnquiry,
  agentEnquiryReason: z
    .enum(['known_agent', 'prior_lead', 'competitor_domain', 'manual'])
    .nullable()
    .describe('What identified the competing agent.'),
  createdAt: created.createdAt,
  updatedAt: z.iso.datetime().describe('Time of the last change.'),
  assignedTo: created.assignedTo,
  status: created.status.describe('State of the assignment.'),
  stage: stage.nullable().describe('Stage of the lead in its funnel.'),
  ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  location: entrySchema.nullable().describe('Location of the listing.'),
  bedrooms: z.string().nullable().describe('Bedrooms of the listing.'),
  adPlatform: storedAdPlatform.nullable().describe('Block of the ad platform, as stored.'),
  quiz: z.looseObject({}).nullable().describe('The quiz, as it was sent.'),
  comments: commentCount,
});

export function leadRecord(
  { enquiry, reference }: IntakeRequest,
  decided: DecidedLead,
): Record<string, unknown> {
  const { lead, block, transition } = decided;
  const named = namedRecords(decided);
  const valueOf = (field: Field) =>
    field.name in named ? named[field.name] : fieldValue(field, lead, reference);
  return {
    id: lead.id,
    contactId: lead.contact_id,
    intakeUnresolved: lead.intake_unresolved,
    needsIntakeReview: lead.intake_unresolved !== null,
    merged: false,
    isRepeatLead: lead.is_repeat_lead,
    repeatOfLeadId: lead.repeat_of_lead_id,
    isAgentEnquiry: lead.is_agent_enquiry,
    agentEnquiryReason: lead.agent_enquiry_reason,
    createdAt: lead.created_at,
    updatedAt: lead.updated_at,
    assignedTo: transition.holder.kind === 'agent' ? transition.holder.agent : null,
    status: lead.assignment_status,
    stage: stageOf(lead, reference),
    ...Object.fromEntries(fields.map((field) => [field.name, valueOf(field)])),
    location: reference.lists.location.named(lead.location_id),
    bedrooms: lead.bedrooms,
    adPlatform: block?.block ?? null,
    quiz: enquiry.quiz?.block ?? null,
    comments: decided.comments.count ?? undefined,
  };
}

/** Records of no list. `assignedBy` shows the agent to whom it resolved, who may not be the owner. */
function namedRecords({ lead, block, campaign, listing, ownership }: DecidedLead) {
  const shown = listing && { id: listing.id, name: listing.referenceNo };
  const { advertising_campaign_id: campaignId = null } = lead;
  const campaignName = campaign?.name ?? blockText(block?.block, 'adPlatformCampaignId');
  const records: Record<string, Entry | null> = {
    assignedBy: ownership.named && { id: ownership.named.id, name: ownership.named.name },
    listingId: shown,
    referenceNo: shown,
    advertisingCampaign: campaignId ? { id: campaignId, name: campaignName ?? '' } : null,
  };
  return records;
}

function fieldValue({ column, match }: Field, lead: LeadRow, { lists }: Reference): unknown {
  const value = lead[column ?? ''] ?? null;
  if (typeof match !== 'object') return value;
  const list = lists[match.list];
  return Array.isArray(value)
    ? value.map((id: string) => list.named(id))
    : list.named(value as string | null);
}

function stageOf(lead: LeadRow, reference: Reference): (Entry & { funnel: Entry }) | null {
  const { mainFunnel, lists } = reference;
  const funnel = lead.funnel_id === mainFunnel.id ? mainFunnel : lists.funnel.byId(lead.funnel_id);
  if (!funnel?.firstStage) return null;
  return { ...funnel.firstStage, funnel: { id: funnel.id, name: funnel.name } };
}
