import { z } from 'zod';
import type { Enquiry } from '../../domain/leads/enquiry.ts';
import { createPayload } from '../../domain/leads/payload-schema.ts';
import {
  agentSchema,
  leadRecord,
  leadRecordSchema,
  commentCount,
  withCommentCount,
} from '../responses/lead-record.ts';
import { ApiError } from '../errors.ts';
import { defineRoute } from '../http/route.ts';
import type { CreateOutcome } from '../leads/decide-create.ts';
import { readIntakeRequest } from '../leads/request.ts';

const merged = z
  .object({
    id: z.uuid(),
    merged: z.literal(true).meta({
      description:
        'Always true: the enquiry went to a lead that exists. In TypeScript, `"matchedOn" in lead` tells the two shapes apart.',
    }),
    matchedOn: z.enum(['phone', 'email']),
    assignedTo: agentSchema.nullable(),
    comments: commentCount.optional(),
  })
  .meta({ id: 'MergedLead' });

const createdOrMerged = z.union([leadRecordSchema, merged]).meta({
  id: 'CreatedOrMergedLead',
  description: 'Branch on `merged`.',
  // Each has a required property that the other lacks. Of `anyOf` a generator may make one type with all of both.
  override({ jsonSchema }) {
    jsonSchema.oneOf = jsonSchema.anyOf;
    delete jsonSchema.anyOf;
  },
});

const example = {
  leadPhones: ['+971501234567'],
  leadEmails: ['buyer@example.com'],
  leadFirstName: 'Aisha',
  source: 'Website',
  areaOfInterest: 'Dubai Marina',
  initialInquiry: 'Two bedrooms with a sea view, please.',
};

/** POST /public/leads: matched, merged, resolved; routing follows the response. */
export const createLead = defineRoute({
  method: 'POST',
  path: '/public/leads',
  operationId: 'createLead',
  summary: 'Create a lead',
  tag: 'Leads',
  body: createPayload,
  bodyExample: example,
  namesUnknownFields: true,
  response: {
    status: 201,
    description:
      'A new lead, or the existing one that the enquiry was merged into: branch on `merged`.',
    schema: createdOrMerged,
  },
  async handle(sent) {
    const { app } = sent;
    const request = await readIntakeRequest(sent, 'create');
    assertContactPoint(request.enquiry);
    const outcome = await app.createLead(request);
    if (outcome.kind === 'created')
      app.leads.signalLead(outcome.record.lead.id, 'created', outcome.outboxId);
    return toResponse(outcome);
  },
});

function assertContactPoint({ values }: Enquiry): void {
  if (values.has('leadPhones') || values.has('leadEmails')) return;
  throw new ApiError('BAD_REQUEST', 'At least one entry in leadPhones or leadEmails is required.');
}

function toResponse(outcome: CreateOutcome): object {
  const comments = withCommentCount(outcome);
  if (outcome.kind === 'created') return { ...leadRecord(outcome.record), ...comments };
  const { leadId, matchedOn, assignedTo } = outcome;
  return { id: leadId, merged: true, matchedOn, assignedTo, ...comments };
}
