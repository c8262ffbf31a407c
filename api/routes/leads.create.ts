import { z } from 'zod';
import { enquiryFrom } from '../../domain/lead/enquiry.ts';
import { createPayload } from '../../domain/lead/payload-schema.ts';
import type { Payload } from '../../domain/lead/payload-schema.ts';
import type { Reference } from '../../domain/lookup/reference.ts';
import { agentSchema, commentCount, leadRecord, leadRecordSchema } from '../answers/lead-record.ts';
import { ApiError } from '../errors.ts';
import { noQuery } from '../http/pipeline.ts';
import { defineRoute } from '../http/route.ts';
import { createLead as create } from '../intake/create-lead.ts';
import type { CreateOutcome } from '../intake/create-lead.ts';

const merged = z
  .object({
    id: z.uuid(),
    merged: z.literal(true),
    matchedOn: z.enum(['phone', 'email']),
    assignedTo: agentSchema.nullable(),
    comments: commentCount.optional(),
  })
  .meta({ id: 'MergedLead' });

const example = {
  leadPhones: ['+971501234567'],
  leadEmails: ['buyer@example.com'],
  leadFirstName: 'Aisha',
  source: 'Website',
  areaOfInterest: 'Dubai Marina',
  initialInquiry: 'Two bedrooms with a sea view, please.',
};

/** POST /public/leads: matched, merged, resolved; routing follows after the answer. */
export const createLead = defineRoute({
  method: 'POST',
  path: '/public/leads',
  operationId: 'createLead',
  summary: 'Create a lead',
  tag: 'Leads',
  auth: 'bearer',
  query: noQuery,
  body: createPayload,
  bodyExample: example,
  answers: {
    201: {
      description:
        'A new lead, or the existing one that the enquiry was merged into: branch on `merged`.',
      schema: z.union([leadRecordSchema, merged]),
    },
  },
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'OAUTH_TOKEN_EXPIRED',
    'VALIDATION_ERROR',
    'RATE_LIMITED',
  ],
  async handle({ body, bodyText, caller, app, now, reference: currentReference }) {
    const reference = await currentReference();
    const enquiry = enquiryFrom(body as Payload, 'create', reference.quizFields);
    if (!enquiry.values.has('leadPhones') && !enquiry.values.has('leadEmails')) {
      throw new ApiError(
        'BAD_REQUEST',
        'At least one entry in leadPhones or leadEmails is required.',
      );
    }
    const { mergeWindowMs, followUpMs } = app.config;
    const outcome = await create(app.database, {
      enquiry,
      body: bodyText,
      caller,
      reference,
      now,
      newId: app.newId,
      settings: { mergeWindowMs, followUpMs },
    });
    if (outcome.kind === 'created')
      app.leads.announce(outcome.lead.id, 'created', outcome.outboxId);
    return { status: 201, body: { ...answerOf(outcome, reference), ...commentsOf(outcome) } };
  },
});

function answerOf(outcome: CreateOutcome, reference: Reference): object {
  if (outcome.kind === 'created') return leadRecord({ ...outcome, reference });
  return {
    id: outcome.leadId,
    merged: true,
    matchedOn: outcome.matchedOn,
    assignedTo: outcome.assignedTo,
  };
}

/** In the answer only where comments were sent. */
export function commentsOf({
  comments,
}: {
  comments: z.output<typeof commentCount> | null;
}): object {
  return comments ? { comments } : {};
}
