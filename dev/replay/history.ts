import { historyFromJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import {
  namesLabel,
  readPayload,
  readStep,
  summaryLabel,
  timerLabel,
  step,
  type Readers,
  type Step,
} from './steps.ts';

export type RecordedRun = ReturnType<typeof readHistory>;

/** Its message says what is wrong, and quotes nothing of the content. */
export class UnreadableHistory extends Error {}

/** Refuses what the SDK would crash on. */
export function readHistory(json: string) {
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

export type HistoryEvent = NonNullable<History['events']>[number];

export interface EventStep extends Step {
  eventId: number;
  /** The marker of a deprecated patch, which the code need not write any more. */
  isOptional: boolean;
}

/** A completed workflow task with the events of its commands, which follow it directly. */
export interface HistoryTask {
  startedEventId: number;
  completedEventId: number;
  steps: EventStep[];
  /** No other event follows. */
  isAtEnd: boolean;
}

const idOf = ({ eventId }: HistoryEvent) => Number(eventId);

export function historyTasks(events: readonly HistoryEvent[]): HistoryTask[] {
  const tasks: HistoryTask[] = [];
  let current: HistoryTask | undefined;
  let startedEventId = 0;
  for (const event of events) {
    if (event.workflowTaskStartedEventAttributes) startedEventId = idOf(event);
    const found = current && readStep(READERS, event, event, events);
    if (event.workflowTaskCompletedEventAttributes) {
      current = { startedEventId, completedEventId: idOf(event), steps: [], isAtEnd: true };
      tasks.push(current);
    } else if (current && found) {
      const isOptional = isDeprecatedPatch(event);
      if (!isOfPatch(event)) current.steps.push({ ...found, eventId: idOf(event), isOptional });
    } else if (current) {
      current.isAtEnd = false;
      current = undefined;
    }
  }
  return tasks;
}

/** An event that is no command's has none. */
const READERS: Readers<HistoryEvent, [event: HistoryEvent, all: readonly HistoryEvent[]]> = {
  activityTaskScheduledEventAttributes: ({ activityType }, { userMetadata }) =>
    step('activity', activityType?.name, summaryLabel(userMetadata)),
  activityTaskCancelRequestedEventAttributes({ scheduledEventId }, _, all) {
    const scheduled = find(all, scheduledEventId)?.activityTaskScheduledEventAttributes;
    return step('activityCancellation', scheduled?.activityType?.name);
  },
  timerStartedEventAttributes: ({ startToFireTimeout }, { userMetadata }) =>
    step('timer', '', timerLabel(userMetadata, startToFireTimeout)),
  timerCanceledEventAttributes({ startedEventId }, _, all) {
    const { userMetadata, timerStartedEventAttributes: timer } = find(all, startedEventId) ?? {};
    return step('timerCancellation', '', timerLabel(userMetadata, timer?.startToFireTimeout));
  },
  markerRecordedEventAttributes({ markerName }, event) {
    const { activity_type, id } = readMarker(event);
    const isPatch = markerName === PATCH_MARKER;
    return isPatch
      ? step('patch', id)
      : step('localActivity', activity_type, summaryLabel(event.userMetadata));
  },
  upsertWorkflowSearchAttributesEventAttributes: ({ searchAttributes }) =>
    step('searchAttributes', '', namesLabel(searchAttributes)),
  workflowPropertiesModifiedEventAttributes: () => step('memo'),
  workflowExecutionUpdateAcceptedEventAttributes: ({ acceptedRequest }) =>
    step('updateAccepted', acceptedRequest?.input?.name),
  workflowExecutionUpdateCompletedEventAttributes({ acceptedEventId }, _, all) {
    const accepted = find(all, acceptedEventId)?.workflowExecutionUpdateAcceptedEventAttributes;
    return step('updateCompleted', accepted?.acceptedRequest?.input?.name);
  },
  startChildWorkflowExecutionInitiatedEventAttributes: ({ workflowType }) =>
    step('childWorkflow', workflowType?.name),
  signalExternalWorkflowExecutionInitiatedEventAttributes: ({ signalName }) =>
    step('signal', signalName),
  requestCancelExternalWorkflowExecutionInitiatedEventAttributes: () => step('cancelRequest'),
  nexusOperationScheduledEventAttributes: ({ operation }) => step('nexusOperation', operation),
  nexusOperationCancelRequestedEventAttributes: () => step('nexusCancellation'),
  workflowExecutionCompletedEventAttributes: () => step('completion'),
  workflowExecutionFailedEventAttributes: () => step('failure'),
  workflowExecutionCanceledEventAttributes: () => step('cancellation'),
  workflowExecutionContinuedAsNewEventAttributes: () => step('continueAsNew'),
};

const find = (all: readonly HistoryEvent[], id: unknown) => all[Number(id) - 1];

const PATCH_MARKER = 'core_patch';
const CHANGE_VERSION = 'TemporalChangeVersion';

interface Marker {
  activity_type?: string;
  id?: string;
  deprecated?: boolean;
}

function readMarker({ markerRecordedEventAttributes: marker }: HistoryEvent): Marker {
  const { data, 'patch-data': patch } = marker?.details ?? {};
  return Object(readPayload((data ?? patch)?.payloads?.[0])) as Marker;
}

const isDeprecatedPatch = (event: HistoryEvent) => readMarker(event).deprecated === true;

/** The SDK adds it to a patch's marker by itself. */
function isOfPatch({ upsertWorkflowSearchAttributesEventAttributes: upsert }: HistoryEvent) {
  return Object.hasOwn(upsert?.searchAttributes?.indexedFields ?? {}, CHANGE_VERSION);
}
