import { z } from 'zod';
import { fields, type Field } from '../../domain/leads/fields.ts';
import { adPlatformShape, blockText } from '../../domain/leads/ad-platform.ts';
import type { Entry } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import { agentViewSchema, entrySchema } from '../../domain/webhooks/event-payloads.ts';
import type { LeadRow } from '../../store/leads/lead-json.ts';
import { namedObject } from '../http/route.ts';
import type { IntakeRequest } from '../leads/apply-submission.ts';
import type { DecidedLead } from '../leads/decide-new-lead.ts';

/** The full lead record of the 201, made from the field table (Create response). */

export const commentCount = namedObject('CommentCount', { added: z.int(), skipped: z.int() });

function fieldSchema({ name, type, match }: Field): z.ZodType {
  if (match === 'contactPoint')
    return z.array(z.string()).meta({ description: 'All that the lead has, as they were sent.' });
  if (type === 'texts')
    return z.array(entrySchema).meta({ description: 'The records that the entries matched.' });
  const isRecord =
    typeof match === 'object' || match === 'advertisingCampaign' || match === 'listing';
  return isRecord
    ? entrySchema.nullable().meta({ description: 'The record that the value matched.' })
    : z
        .string()
        .nullable()
        .meta({ description: `The value of \`${name}\` as stored.` });
}

const stage = namedObject('Stage', { id: z.string(), name: z.string(), funnel: entrySchema });

const storedAdPlatform = z.looseObject(adPlatformShape).meta({ id: 'StoredAdPlatform' });

export const leadRecordSchema = namedObject('Lead', {
  id: z.uuid(),
  contactId: z.uuid(),
  intakeUnresolved: z.record(z.string(), z.unknown()).nullable(),
  needsIntakeReview: z.boolean(),
  merged: z.literal(false).meta({ description: 'Always false: the lead is new.' }),
  isRepeatLead: z.boolean(),
  repeatOfLeadId: z.uuid().nullable(),
  isAgentEnquiry: z.boolean(),
  agentEnquiryReason: z
    .enum(['known_agent', 'prior_lead', 'competitor_domain', 'manual'])
    .nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  assignedTo: agentViewSchema.nullable(),
  status: z.enum(['assigned', 'pending', 'unassigned', 'pool']),
  stage: stage.nullable(),
  ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  location: entrySchema.nullable(),
  bedrooms: z.string().nullable(),
  adPlatform: storedAdPlatform.nullable(),
  quiz: z.looseObject({}).nullable(),
  comments: commentCount.optional(),
});

/** The record of a new lead, as its request and the lists are at this moment. */
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

/** The fields that show a record of no list. `assignedBy` shows the agent to whom it resolved, who may not be the owner. */
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
