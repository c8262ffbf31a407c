import { z } from 'zod';
import {
  unassignedReasons,
  type EventType,
  type LeadAssignedData,
  type LeadCreatedData,
  type LeadPooledData,
  type LeadRespondedData,
  type LeadUnassignedData,
} from '../../domain/webhooks/event-payloads.ts';
import { agentSchema, entrySchema } from './lead-record.ts';

/** The events of leads, as endpoints get them and as they are read. */

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

function eventSchema<Type extends EventType, Data extends z.ZodObject>(type: Type, facts: Data) {
  const data = facts.extend({ sequence });
  return z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data });
}

/** The body of each event. */
export const eventSchemas = {
  'lead.created': eventSchema('lead.created', created),
  'lead.assigned': eventSchema('lead.assigned', assigned),
  'lead.pooled': eventSchema('lead.pooled', pooled),
  'lead.unassigned': eventSchema('lead.unassigned', unassigned),
  'lead.responded': eventSchema('lead.responded', responded),
} satisfies Record<EventType, z.ZodObject>;
