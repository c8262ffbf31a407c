import { readFileSync } from 'node:fs';
import path from 'node:path';
import { historiesFolder, installedSdk } from './saved-histories.ts';

/** The part of an event that the tests look at. */
export interface JsonEvent {
  eventId: string;
  eventType: string;
  [attributes: string]: unknown;
}

/** The events of a scenario that the installed SDK made. */
export function readEvents(scenario: string): JsonEvent[] {
  const file = path.join(historiesFolder, installedSdk, `${scenario}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { events: JsonEvent[] }).events;
}

export const toJson = (events: readonly JsonEvent[]) => JSON.stringify({ events });

/** The same history of a workflow of another name. */
export function asOfType(scenario: string, type: string): string {
  const [first, ...others] = readEvents(scenario);
  const started = first?.workflowExecutionStartedEventAttributes as object;
  const renamed = { ...started, workflowType: { name: type } };
  return toJson([
    { ...(first as JsonEvent), workflowExecutionStartedEventAttributes: renamed },
    ...others,
  ]);
}

/** Inserts events before the one of that id; the ids after it are moved on. */
export function insertBefore(
  eventId: number,
  inserted: readonly Omit<JsonEvent, 'eventId'>[],
  events: readonly JsonEvent[],
): JsonEvent[] {
  const move = (key: string, value: unknown) =>
    /EventId$|^eventId$/.test(key) && Number(value) >= eventId
      ? String(Number(value) + inserted.length)
      : value;
  const moved = JSON.parse(JSON.stringify(events, move)) as JsonEvent[];
  const numbered = inserted.map((event, index) => ({ ...event, eventId: String(eventId + index) }));
  return moved.toSpliced(eventId - 1, 0, ...(numbered as JsonEvent[]));
}
