import { z } from 'zod';
import {
  disabledReasons,
  unassignedReasons,
  type EndpointDisabledData,
  type EndpointFailingData,
  type EventType,
  type LeadAssignedData,
  type LeadCreatedData,
  type LeadEventType,
  type LeadPooledData,
  type LeadRespondedData,
  type LeadUnassignedData,
} from '../../domain/webhooks/event-payloads.ts';
import { agentSchema, entrySchema } from './lead-record.ts';

/** The events, as endpoints get them and as they are read. */

const leadId = z.uuid();
const integrationRef = z.string().nullable();
const sequence = z.int().min(1).meta({
  description: 'Counts the events of one lead, since they may arrive in another order.',
});

const created = z.object({
  leadId,
  contactId: z.uuid(),
  createdAt: z.iso.datetime(),
  status: z.enum(['assigned', 'pending', 'unassigned', 'pool']),
  source: entrySchema.nullable(),
  integrationRef,
  isRepeatLead: z.boolean(),
  repeatOfLeadId: z.uuid().nullable(),
  isAgentEnquiry: z.boolean(),
  needsIntakeReview: z.boolean(),
  assignedTo: agentSchema.nullable(),
}) satisfies z.ZodType<LeadCreatedData>;

const assigned = z.object({
  leadId,
  status: z.literal('assigned'),
  agent: agentSchema,
  assignedAt: z.iso.datetime(),
  previousAgentId: z.guid().nullable(),
  integrationRef,
}) satisfies z.ZodType<LeadAssignedData>;

const pooled = z.object({
  leadId,
  status: z.literal('pool'),
  poolName: z.string(),
  integrationRef,
}) satisfies z.ZodType<LeadPooledData>;

const unassigned = z.object({
  leadId,
  status: z.literal('unassigned'),
  reason: z.enum(unassignedReasons).meta({
    description:
      '`no_rule_matched`: no routing rule is for such a lead. `nobody_available`: none of the agents could take it.',
  }),
  integrationRef,
}) satisfies z.ZodType<LeadUnassignedData>;

const responded = z.object({
  leadId,
  seconds: z.int().min(0).meta({ description: 'As it was recorded.' }),
  agent: agentSchema.nullable().meta({ description: 'Who holds the lead; null: nobody does.' }),
  integrationRef,
}) satisfies z.ZodType<LeadRespondedData>;

const endpointId = z.uuid();
const url = z.string();
const failingSince = z.iso.datetime().meta({
  description: 'The first failure after which no call to it succeeded.',
});

const failing = z.object({
  endpointId,
  url,
  failingSince,
  lastStatusCode: z.int().nullable().meta({ description: 'Null: the last call got no response.' }),
  lastError: z.string().nullable().meta({
    description: '`status`, `redirect`, or why there was no response, such as `timeout`.',
  }),
}) satisfies z.ZodType<EndpointFailingData>;

const disabled = z.object({
  endpointId,
  url,
  reason: z.enum(disabledReasons).meta({
    description:
      '`gone`: it answered 410. `failing`: every call failed for five days. `by_operator`: ask the operator.',
  }),
  failingSince: failingSince.nullable(),
}) satisfies z.ZodType<EndpointDisabledData>;

function leadEventSchema<Type extends LeadEventType, Data extends z.ZodObject>(
  type: Type,
  facts: Data,
) {
  return eventSchema(type, facts.extend({ sequence }));
}

function eventSchema<Type extends EventType, Data extends z.ZodObject>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data });
}

/** The body of each event. */
export const eventSchemas = {
  'lead.created': leadEventSchema('lead.created', created),
  'lead.assigned': leadEventSchema('lead.assigned', assigned),
  'lead.pooled': leadEventSchema('lead.pooled', pooled),
  'lead.unassigned': leadEventSchema('lead.unassigned', unassigned),
  'lead.responded': leadEventSchema('lead.responded', responded),
  'endpoint.failing': eventSchema('endpoint.failing', failing),
  'endpoint.disabled': eventSchema('endpoint.disabled', disabled),
} satisfies Record<EventType, z.ZodObject>;
