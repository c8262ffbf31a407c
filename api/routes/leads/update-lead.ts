import { z } from 'zod';
import { updatePayload } from '../../../domain/leads/payload-schema.ts';
import { eventData } from '../../../domain/webhooks/event-payloads.ts';
import { workflowEventOf } from '../../../domain/leads/lead-change.ts';
import { defineRoute, namedObject, noQuery, type Route, uuidParam } from '../../http/route.ts';
import { applyUpdate } from '../../leads/apply-submission.ts';
import { commentCount, intakeUnresolved, ownerNow } from '../../responses/lead-record.ts';
import { readIntakeRequest } from './intake-request.ts';

const created = eventData['lead.created'].shape;

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
  query: noQuery,
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
