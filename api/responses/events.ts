import { z } from 'zod';
import {
  eventData,
  type EventType,
  eventTypes,
  testEventData,
} from '../../domain/webhooks/event-payloads.ts';

const sequence = z
  .int()
  .min(1)
  .describe('Number of the event among those of the lead, which may arrive in another order.');

export function eventName(type: string): string {
  return type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function eventSchema(type: string, shape: z.ZodObject) {
  const data = shape.meta({ id: `${eventName(type)}Data` });
  return z.object({
    type: z.literal(type).describe('Type of the event.'),
    timestamp: z.iso.datetime().describe('Time of the event.'),
    data: data.describe(`About the ${type.startsWith('lead.') ? 'lead' : 'endpoint'}.`),
  });
}

export const eventSchemas = Object.fromEntries(
  eventTypes.map((type) => {
    const data = eventData[type];
    return [type, eventSchema(type, type.startsWith('lead.') ? data.extend({ sequence }) : data)];
  }),
) as Record<EventType, ReturnType<typeof eventSchema>>;

export const testEventSchema = eventSchema('webhook.test', testEventData);
