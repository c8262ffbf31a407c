import { z } from 'zod';
import {
  disabledReasons,
  unassignedReasons,
  type EventData,
  type EventType,
  type LeadEventType,
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
});

const assigned = z.object({
  leadId,
  status: z.literal('assigned'),
  agent: agentSchema,
  assignedAt: z.iso.datetime(),
  previousAgentId: z.guid().nullable(),
  integrationRef,
});

const pooled = z.object({
  leadId,
  status: z.literal('pool'),
  poolName: z.string(),
  integrationRef,
});

const unassigned = z.object({
  leadId,
  status: z.literal('unassigned'),
  reason: z.enum(unassignedReasons).meta({
    description:
      '`no_rule_matched`: no routing rule is for such a lead. `nobody_available`: none of the agents could take it. `waiting`: an operator took it from its agent, and it waits for another one. `operator`: an operator took back what had brought it to an agent or into a pool.',
  }),
  integrationRef,
});

const responded = z.object({
  leadId,
  seconds: z.int().min(0).meta({ description: 'As it was recorded.' }),
  agent: agentSchema.nullable().meta({ description: 'Who holds the lead; null: nobody does.' }),
  integrationRef,
});

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
});

const disabled = z.object({
  endpointId,
  url,
  reason: z.enum(disabledReasons).meta({
    description:
      '`gone`: it answered 410. `failing`: every call failed for five days. `by_operator`: ask the operator.',
  }),
  failingSince: failingSince.nullable(),
});

/** `lead.created` as `LeadCreated`, for the names of its schemas. */
export function eventName(type: string): string {
  return type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function eventSchema<Type extends string, Data extends z.ZodObject>(type: Type, shape: Data) {
  const data = shape.meta({ id: `${eventName(type)}Data` });
  return z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data });
}

interface EventBody<Type extends EventType> {
  type: Type;
  timestamp: string;
  data: EventData[Type] & (Type extends LeadEventType ? { sequence: number } : unknown);
}

/** The body of each event: webhooks, the events that are read, and the document are made from these. */
export const eventSchemas = {
  'lead.created': eventSchema('lead.created', created.extend({ sequence })),
  'lead.assigned': eventSchema('lead.assigned', assigned.extend({ sequence })),
  'lead.pooled': eventSchema('lead.pooled', pooled.extend({ sequence })),
  'lead.unassigned': eventSchema('lead.unassigned', unassigned.extend({ sequence })),
  'lead.responded': eventSchema('lead.responded', responded.extend({ sequence })),
  'endpoint.failing': eventSchema('endpoint.failing', failing),
  'endpoint.disabled': eventSchema('endpoint.disabled', disabled),
} satisfies { [Type in EventType]: z.ZodType<EventBody<Type>> };

/** What `leadctl webhook test` sends, to the endpoint that it names and to no feed. */
export const testEventSchema = eventSchema(
  'webhook.test',
  z.object({ endpointId, message: z.string() }),
);
