import type { EventType } from './event-payloads.ts';

export const eventTypes = ['lead.created', 'lead.assigned'] as const satisfies readonly EventType[];

/** The names in a comma-separated list, once each; `unknown` are those that no event has. */
export function readEventTypes(list: string): { events: EventType[]; unknown: string[] } {
  const names = [...new Set(list.split(',').map((name) => name.trim()))].filter(
    (name) => name !== '',
  );
  const events = eventTypes.filter((type) => names.includes(type));
  const unknown = names.filter((name) => !(eventTypes as readonly string[]).includes(name));
  return { events, unknown };
}
