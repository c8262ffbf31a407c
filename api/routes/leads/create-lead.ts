import { z } from 'zod';
import { hasContactPoint } from '../../../domain/leads/contact-points.ts';
import { createPayload } from '../../../domain/leads/payload-schema.ts';
import { eventData } from '../../../domain/webhooks/event-payloads.ts';
import { ApiError } from '../../errors.ts';
import { defineRoute, namedObject, noQuery } from '../../http/route.ts';
import {
  commentCount,
  leadRecord,
  leadRecordSchema,
  ownerNow,
} from '../../responses/lead-record.ts';
import { readIntakeRequest } from './intake-request.ts';

const merged = namedObject('MergedLead', {
  id: z.uuid().describe('Id of the lead into which the enquiry was merged.'),
  merged: z.literal(true).meta({
    description:
      'Always true: the enquiry went to a lead that exists. In TypeScript, `"matchedOn" in lead` tells the two shapes apart.',
  }),
  matchedOn: eventData['lead.enquired'].shape.matchedOn,
  assignedTo: ownerNow,
  comments: commentCount,
});

const createdOrMerged = z.union([leadRecordSchema, merged]).meta({
  id: 'CreatedOrMergedLead',
  description: 'Branch on `merged`.',
  // A generator may merge the shapes of an `anyOf` into one type. Each has a required property that the other lacks.
  override({ jsonSchema }) {
    jsonSchema.oneOf = jsonSchema.anyOf;
    delete jsonSchema.anyOf;
  },
});

/** POST /public/leads: routing follows the response. */
export const createLead = defineRoute({
  method: 'POST',
  path: '/public/leads',
  operationId: 'createLead',
  summary: 'Create a lead',
  tag: 'Leads',
  query: noQuery,
  body: createPayload,
  bodyExample: {
    leadPhones: ['+971501234567'],
    leadEmails: ['buyer@example.com'],
    leadFirstName: 'Aisha',
    source: 'Website',
    areaOfInterest: 'Dubai Marina',
    initialInquiry: 'Two bedrooms with a sea view, please.',
  },
  namesUnknownFields: true,
  response: {
    status: 201,
    description:
      'A new lead, or the existing one that the enquiry was merged into: branch on `merged`.',
    schema: createdOrMerged,
  },
  async handle(sent) {
    const { app, http } = sent;
    const request = await readIntakeRequest(sent, 'create');
    if (!hasContactPoint(sent.body)) throw new ApiError('BAD_REQUEST', NO_CONTACT_POINT);
    sent.release();
    const isGone = () => http.req.socket.destroyed;
    const outcome = await app.createLead(request, { startedMs: http.state.startedMs, isGone });
    if (outcome.kind === 'merged') {
      const { leadId, matchedOn, assignedTo, comments, outboxId } = outcome;
      if (outboxId !== null) app.leads.signalLead(leadId, 'updated', outboxId);
      return { id: leadId, merged: true, matchedOn, assignedTo, comments: comments ?? undefined };
    }
    app.leads.signalLead(outcome.lead.lead.id, 'created', outcome.outboxId);
    return leadRecord(request, outcome.lead);
  },
});

const NO_CONTACT_POINT = 'At least one entry in leadPhones or leadEmails is required.';
