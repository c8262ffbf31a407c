import { z } from 'zod';
import { fields, type Field } from '../../domain/leads/fields.ts';
import { type CommentCount, countComments } from '../../domain/leads/comments.ts';
import { adPlatformTexts, blockText } from '../../domain/leads/ad-platform.ts';
import type { Entry } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import { agentViewSchema, entrySchema } from '../../domain/webhooks/event-payloads.ts';
import type { LeadRow } from '../../store/leads/lead-json.ts';
import type { IntakeRequest } from '../leads/apply-submission.ts';
import type { DecidedLead } from '../leads/decide-new-lead.ts';

/** The full lead record of the 201, made from the field table (Create response). */

/** How many comments of a request were added and skipped. */
export const commentCount = z
  .object({ added: z.int(), skipped: z.int() })
  .meta({ id: 'CommentCount' });

/** The `comments` member of a response; only where comments were sent. */
export function withCommentCount(comments: CommentCount | null): object {
  return comments ? { comments } : {};
}

function fieldSchema(field: Field): z.ZodType {
  if (field.match === 'contactPoint')
    return z.array(z.string()).meta({ description: 'All that the lead has, as they were sent.' });
  if (field.type === 'texts')
    return z.array(entrySchema).meta({ description: 'The records that the entries matched.' });
  return isRecord(field)
    ? entrySchema.nullable().meta({ description: 'The record that the value matched.' })
    : z
        .string()
        .nullable()
        .meta({ description: `The value of \`${field.name}\` as stored.` });
}

function isRecord({ match }: Field): boolean {
  return typeof match === 'object' || match === 'advertisingCampaign' || match === 'listing';
}

const stage = z
  .object({ id: z.string(), name: z.string(), funnel: entrySchema })
  .meta({ id: 'Stage' });

const storedAdPlatform = z
  .looseObject(Object.fromEntries(adPlatformTexts.map((name) => [name, z.string().nullish()])))
  .meta({ id: 'StoredAdPlatform' });

export const leadRecordSchema = z
  .object({
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
  })
  .meta({ id: 'Lead' });

/** The values of a record's fields. */
interface RecordFacts {
  lead: LeadRow;
  reference: Reference;
  campaignName: string | null;
  /** The listing, named by its reference number. */
  listing: Entry | null;
  /** The agent to whom assignedBy resolved, who may not be the owner. */
  assignedBy: Entry | null;
}

/** The record of a new lead, as its request and the lists are at this moment. */
export function leadRecord(
  { enquiry, reference }: IntakeRequest,
  decided: DecidedLead,
): Record<string, unknown> {
  const { lead, block, campaign, listing, ownership, transition } = decided;
  const facts: RecordFacts = {
    lead,
    reference,
    campaignName: campaign?.name ?? blockText(block?.block, 'adPlatformCampaignId'),
    listing: listing && { id: listing.id, name: listing.referenceNo },
    assignedBy: ownership.named && { id: ownership.named.id, name: ownership.named.name },
  };
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
    ...Object.fromEntries(fields.map((field) => [field.name, fieldValue(field, facts)])),
    location: reference.lists.location.named(lead.location_id),
    bedrooms: lead.bedrooms,
    adPlatform: block?.block ?? null,
    quiz: enquiry.quiz?.block ?? null,
    ...withCommentCount(countComments(decided.comments)),
  };
}

/** `listingId` and `referenceNo` both show the listing. */
function fieldValue(field: Field, facts: RecordFacts): unknown {
  const { lead, reference, campaignName } = facts;
  const value = lead[field.column ?? ''] ?? null;
  if (field.name === 'assignedBy') return facts.assignedBy;
  if (field.match === 'listing') return facts.listing;
  if (field.match === 'advertisingCampaign')
    return value && { id: value, name: campaignName ?? '' };
  if (typeof field.match !== 'object') return value;
  const list = reference.lists[field.match.list];
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
