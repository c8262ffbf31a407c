import { z } from 'zod';
import { retryAfterSeconds } from '../../domain/assignment/retry-after.ts';
import { hasContactPoint } from '../../domain/leads/contact-points.ts';
import { enquiryFrom } from '../../domain/leads/enquiry.ts';
import { createPayload, type Payload, updatePayload } from '../../domain/leads/payload-schema.ts';
import { describeUnknownFields } from '../../domain/leads/misspelt-fields.ts';
import { agentViewSchema, eventData } from '../../domain/webhooks/event-payloads.ts';
import { formatTraceparent } from '../../platform/trace-context.ts';
import { readAssignment } from '../../store/assignment/read-assignment.ts';
import { MAX_RESPONSE_SECONDS, recordResponse } from '../../app/assignment/respond.ts';
import { workflowEventOf } from '../../store/leads/lead-rows.ts';
import { ApiError, notFound } from '../errors.ts';
import {
  defineRoute,
  namedObject,
  type Route,
  type RouteRequest,
  uuidParam,
} from '../http/route.ts';
import { applyUpdate, type IntakeRequest } from '../leads/apply-submission.ts';
import {
  commentCount,
  intakeUnresolved,
  leadRecord,
  leadRecordSchema,
} from '../responses/lead-record.ts';

const created = eventData['lead.created'].shape;

const ownerNow = agentViewSchema.nullable().meta({
  description: 'Owner at the time of the response. Null if the lead has none, or if not decided.',
});

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
    const { app } = sent;
    const request = await readIntakeRequest(sent, 'create');
    if (!hasContactPoint(sent.body)) throw new ApiError('BAD_REQUEST', NO_CONTACT_POINT);
    sent.release();
    const outcome = await app.createLead(request, sent);
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

const updatedLead = namedObject('UpdatedLead', {
  id: created.leadId,
  updated: z.boolean().describe('True if the update changed the lead.'),
  updatedFields: z.array(z.string()).describe('CRM column names that changed, sorted.'),
  intakeUnresolved,
  needsIntakeReview: created.needsIntakeReview,
  rerouted: z.boolean().describe('True if a lead without an agent went through assignment again.'),
  assignedTo: ownerNow,
  comments: commentCount,
});

/** PUT /public/leads/{id} and its alias (update rules 1 to 10) */
export const updateLead = defineRoute({
  method: 'PUT',
  path: '/public/leads/{id}',
  operationId: 'updateLead',
  summary: 'Update a lead',
  description:
    'What is omitted is left alone, null clears, a value overwrites; phones and e-mails are appended. `assignedBy`, `funnel` and `distributionType` have no effect. A new enquiry of the customer is a POST.',
  tag: 'Leads',
  params: uuidParam,
  body: updatePayload,
  namesUnknownFields: true,
  bodyExample: { budgetMax: '2500000', areaOfInterest: 'Dubai Marina' },
  response: { description: 'What changed', schema: updatedLead },
  async handle(sent) {
    const { app, params, caller } = sent;
    const request = await readIntakeRequest(sent, 'update');
    const outcome = await applyUpdate(app.database, request, params.id, caller);
    const { leadId, updatedFields, intakeUnresolved, rerouted, assignedTo, comments } = outcome;
    app.leads.signalLead(leadId, workflowEventOf(outcome), outcome.outboxId);
    return {
      id: leadId,
      updated: updatedFields.length > 0,
      updatedFields,
      intakeUnresolved,
      needsIntakeReview: intakeUnresolved !== null,
      rerouted,
      assignedTo,
      comments: comments ?? undefined,
    };
  },
});

export const patchLead: Route = {
  ...updateLead,
  method: 'PATCH',
  operationId: 'patchLead',
  summary: 'Update a lead (alias of PUT)',
};

async function readIntakeRequest(
  request: RouteRequest<unknown, unknown, Payload>,
  kind: 'create' | 'update',
): Promise<IntakeRequest> {
  const { app, body, caller, now, trace } = request;
  const unknown = describeUnknownFields(body, kind);
  if (unknown !== null) request.setHeaders({ 'X-Unknown-Fields': unknown });
  const reference = await request.reference();
  return {
    enquiry: enquiryFrom(body, kind, reference.quizFields),
    submission: {
      id: app.newId(),
      clientId: caller.id,
      body: request.bodyText,
      traceparent: trace && formatTraceparent(trace),
    },
    caller,
    reference,
    now,
    newId: app.newId,
    settings: app.config,
  };
}

const assignmentResponse = namedObject('Assignment', {
  leadId: created.leadId,
  status: created.status.meta({
    description:
      'State of the assignment. `pending`: ask again. `pool`: waits for an agent to claim it. `unassigned`: final.',
  }),
  agent: agentViewSchema.nullable().describe('The agent. Null unless `status` is `assigned`.'),
  createdAt: created.createdAt,
  retryAfterSeconds: z
    .int()
    .nullable()
    .describe('Seconds to wait before the next read. Null unless `status` is `pending`.'),
});

export const leadAssignment = defineRoute({
  method: 'GET',
  path: '/public/leads/{id}/assignment',
  operationId: 'readLeadAssignment',
  summary: 'Read who a lead was assigned to',
  description: 'Branch on `status`, not on whether `agent` is set.',
  tag: 'Leads',
  params: uuidParam,
  response: { description: 'The assignment of the lead', schema: assignmentResponse },
  async handle({ params, caller, app, now }) {
    const found = await readAssignment(app.database, params.id, caller);
    if (!found) throw notFound('This lead');
    const { leadId, status, agent, createdAt } = found;
    return {
      leadId,
      status,
      agent: status === 'assigned' ? agent : null,
      createdAt,
      retryAfterSeconds: retryAfterSeconds(found, now),
    };
  },
});

const responseTimeBody = z
  .strictObject({
    seconds: z.int().min(0).max(MAX_RESPONSE_SECONDS).meta({
      description: "Whole seconds from the customer's first contact to the agent's response.",
    }),
  })
  .meta({ id: 'ResponseTime' });

const recordedResponse = namedObject('RecordedResponseTime', {
  leadId: created.leadId,
  agentResponseSeconds: z.int().describe('The recorded response time, in seconds.'),
  agentRespondedAt: z.iso.datetime().describe('Time at which it was recorded.'),
});

/** POST /public/leads/{id}/response-time: the last write wins. */
export const responseTime = defineRoute({
  method: 'POST',
  path: '/public/leads/{id}/response-time',
  operationId: 'recordResponseTime',
  summary: 'Record how long the assigned agent took to respond',
  tag: 'Leads',
  params: uuidParam,
  body: responseTimeBody,
  bodyExample: { seconds: 420 },
  response: { description: 'The recorded response', schema: recordedResponse },
  async handle({ params, body: { seconds }, caller, app, now }) {
    const recorded = await recordResponse(app.database, {
      leadId: params.id,
      seconds,
      at: now,
      reader: caller,
      readerName: caller.name,
      newId: app.newId,
    });
    if (!recorded) throw notFound('This lead');
    app.leads.signalLead(recorded.leadId, 'responded', recorded.outboxId);
    return { leadId: recorded.leadId, agentResponseSeconds: seconds, agentRespondedAt: now };
  },
});
