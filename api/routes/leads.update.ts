import { z } from 'zod';
import { updatePayload } from '../../domain/leads/payload-schema.ts';
import { commentCount, withCommentCount, agentSchema } from '../responses/lead-record.ts';
import { uuidParam, defineRoute, type Route } from '../http/route.ts';
import type { SubmissionOutcome } from '../leads/apply-submission.ts';
import { workflowEventOf } from '../../store/leads/lead-change-rows.ts';
import { readIntakeRequest } from '../leads/request.ts';
import { updateLead as applyUpdate } from '../leads/update-lead.ts';

const updateResponse = z
  .object({
    id: z.uuid(),
    updated: z.boolean(),
    updatedFields: z
      .array(z.string())
      .meta({ description: 'CRM column names that changed, sorted.' }),
    intakeUnresolved: z.record(z.string(), z.unknown()).nullable(),
    needsIntakeReview: z.boolean(),
    rerouted: z.boolean(),
    assignedTo: agentSchema.nullable(),
    comments: commentCount.optional(),
  })
  .meta({ id: 'UpdatedLead' });

/** PUT /public/leads/{id} and its alias: details that arrive later (update rules 1 to 10). */
export const updateLead = defineRoute({
  method: 'PUT',
  path: '/public/leads/{id}',
  operationId: 'updateLead',
  summary: 'Update a lead',
  description:
    'What is omitted is left alone, null clears, a value overwrites; phones and e-mails are appended. A new enquiry of the customer is a POST.',
  tag: 'Leads',
  params: uuidParam,
  body: updatePayload,
  namesUnknownFields: true,
  bodyExample: { budgetMax: '2500000', areaOfInterest: 'Dubai Marina' },
  response: { description: 'What changed', schema: updateResponse },
  async handle(sent) {
    const { app, params, caller } = sent;
    const request = await readIntakeRequest(sent, 'update');
    const outcome = await applyUpdate(app.database, request, params.id, caller);
    app.leads.signalLead(outcome.leadId, workflowEventOf(outcome), outcome.outboxId);
    return toResponse(outcome);
  },
});

export const patchLead: Route = {
  ...updateLead,
  method: 'PATCH',
  operationId: 'patchLead',
  summary: 'Update a lead (alias of PUT)',
};

function toResponse(outcome: SubmissionOutcome): object {
  const { leadId, updatedFields, intakeUnresolved, rerouted, assignedTo } = outcome;
  return {
    id: leadId,
    updated: updatedFields.length > 0,
    updatedFields,
    intakeUnresolved,
    needsIntakeReview: intakeUnresolved !== null,
    rerouted,
    assignedTo,
    ...withCommentCount(outcome),
  };
}
