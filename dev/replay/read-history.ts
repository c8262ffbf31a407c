import { historyFromJSON, type History } from '@temporalio/common/lib/proto-utils.js';

/** The message quotes none of the content. */
export class UnreadableHistory extends Error {}

export type HistoryEvent = NonNullable<History['events']>[number];

/** Refuses input on which the SDK would hang. */
export function readHistory(json: string) {
  const history = parseHistory(json);
  const events = history.events ?? [];
  const gap = events.findIndex(({ eventId }, index) => Number(eventId) !== index + 1);
  if (gap >= 0) throw new UnreadableHistory(`is cut off: event ${gap + 1} is missing`);
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  const { workflowType, workflowId, originalExecutionRunId: runId } = started ?? {};
  if (!workflowType?.name || !runId)
    throw new UnreadableHistory('is not a history: event 1 does not start a workflow');
  return { type: workflowType.name, workflowId: workflowId || runId, history, events };
}

function parseHistory(json: string): History {
  try {
    const value = JSON.parse(json) as { events?: unknown } | null;
    if (Array.isArray(value?.events)) return historyFromJSON(value);
  } catch {
    throw new UnreadableHistory('is not the JSON of a history, or is cut off');
  }
  throw new UnreadableHistory('is not a history: it has no "events"');
}
