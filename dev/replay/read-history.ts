import { historyFromJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import { idOf, type HistoryEvent } from './history-steps.ts';

export interface RecordedRun {
  type: string;
  workflowId: string;
  runId: string;
  history: History;
  events: readonly HistoryEvent[];
}

/** Its message says what is wrong, and quotes nothing of the content. */
export class UnreadableHistory extends Error {}

/** Refuses what the SDK would crash on. */
export function readHistory(json: string): RecordedRun {
  const history = parseHistory(parseJson(json));
  const events = history.events ?? [];
  const { workflowId, workflowType, originalExecutionRunId } = startOf(events);
  assertWhole(events);
  const runId = originalExecutionRunId ?? '';
  return {
    type: workflowType?.name ?? '',
    workflowId: workflowId || runId,
    runId,
    history,
    events,
  };
}

/** A run of which no worker has taken a workflow task yet is compatible with any code. */
export function hasWorkflowTask({ events }: RecordedRun): boolean {
  return events.some((event, index) => {
    const next = events[index + 1];
    const isOpenOrCompleted = !next || next.workflowTaskCompletedEventAttributes;
    return Boolean(event.workflowTaskStartedEventAttributes && isOpenOrCompleted);
  });
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    const hasEnd = /[}\]]\s*$/.test(json);
    throw new UnreadableHistory(hasEnd ? 'is no JSON' : 'is cut off: its JSON has no end');
  }
}

function parseHistory(value: unknown): History {
  const { events } = Object(value) as { events?: unknown };
  if (!Array.isArray(events)) throw new UnreadableHistory('is no history: it has no "events"');
  try {
    return historyFromJSON(value);
  } catch {
    throw new UnreadableHistory('is no history: its events are not those of Temporal');
  }
}

function startOf(events: readonly HistoryEvent[]) {
  const [first] = events;
  const started = first?.workflowExecutionStartedEventAttributes;
  if (started?.workflowType?.name && started.originalExecutionRunId) return started;
  if (!first) throw new UnreadableHistory('is no history: it has no events');
  if (idOf(first) > 1)
    throw new UnreadableHistory(`is cut off: it begins with event ${idOf(first)}`);
  throw new UnreadableHistory(
    'is no history: event 1 starts no workflow, or lacks its type or run id',
  );
}

function assertWhole(events: readonly HistoryEvent[]): void {
  const gap = events.findIndex((event, index) => idOf(event) !== index + 1);
  if (gap >= 0) throw new UnreadableHistory(`is cut off: event ${gap + 1} is missing`);
  const misplaced = events.find((event, index) => {
    const isAfterStart = events[index - 1]?.workflowTaskStartedEventAttributes;
    return isAfterStart && !ENDS_OF_A_TASK.some((field) => event[field]);
  });
  if (misplaced)
    throw new UnreadableHistory(
      `is no history: event ${idOf(misplaced)} cannot follow a started workflow task`,
    );
}

const ENDS_OF_A_TASK = [
  'workflowTaskCompletedEventAttributes',
  'workflowTaskFailedEventAttributes',
  'workflowTaskTimedOutEventAttributes',
  'workflowExecutionTerminatedEventAttributes',
  'workflowExecutionTimedOutEventAttributes',
] as const;
