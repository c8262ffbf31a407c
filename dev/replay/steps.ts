import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';

/** How an event of each kind is named, and what code does that issues its command. */
const KINDS = {
  activity: ['activity', 'schedules activity'],
  activityCancellation: ['cancellation of activity', 'cancels activity'],
  localActivity: ['local activity', 'runs local activity'],
  timer: ['timer', 'starts timer'],
  timerCancellation: ['cancellation of timer', 'cancels timer'],
  searchAttributes: ['search attributes', 'writes search attributes'],
  memo: ['change of the memo', 'changes the memo'],
  patch: ['marker of patch', 'writes the marker of patch'],
  updateAccepted: ['acceptance of update', 'accepts update'],
  updateRejected: ['rejection of update', 'rejects update'],
  updateCompleted: ['result of update', 'completes update'],
  childWorkflow: ['child workflow', 'starts child workflow'],
  signal: ['signal to another workflow:', 'signals another workflow:'],
  cancelRequest: ['request to cancel another workflow', 'requests to cancel another workflow'],
  nexusOperation: ['Nexus operation', 'starts Nexus operation'],
  nexusCancellation: ['cancellation of a Nexus operation', 'cancels a Nexus operation'],
  completion: ['completion of the workflow', 'completes the workflow'],
  failure: ['failure of the workflow', 'fails the workflow'],
  cancellation: ['end of the cancelled workflow', 'ends the workflow as cancelled'],
  continueAsNew: ['continue-as-new', 'continues as new'],
} as const;

/** A command of workflow code, or the event of a command in a history. */
export interface Step {
  kind: keyof typeof KINDS;
  /** Compared in a replay, as the type of an activity is; empty where the kind alone is compared. */
  name: string;
  /** For the reader only, as the summary of a timer. */
  label: string;
}

export const isSameStep = (a: Step, b: Step) => a.kind === b.kind && a.name === b.name;

/** Such as `timer 'end of the merge window'`. */
export const asEvent = (step: Step) => describe(KINDS[step.kind][0], step);

/** Such as `starts timer 'end of the merge window'`. */
export const asCommand = (step: Step) => describe(KINDS[step.kind][1], step);

function describe(what: string, { name, label }: Step): string {
  const named = name ? `${what} \`${name}\`` : what;
  if (!label) return named;
  return name ? `${named} (${label})` : `${named} ${label}`;
}

export function step(kind: Step['kind'], name?: string | null, label = ''): Step {
  return { kind, name: name ?? '', label };
}

/** Readers by the field that says what an event or a command is. */
export type Readers<T, Context extends unknown[]> = {
  [K in keyof T]?: (attributes: NonNullable<T[K]>, ...context: Context) => Step | undefined;
};

/** Undefined where there is no reader for it. */
export function readStep<T extends object, Context extends unknown[]>(
  readers: Readers<T, Context>,
  of: T,
  ...context: Context
): Step | undefined {
  const field = (Object.keys(readers) as (keyof T)[]).find((key) => of[key]);
  return field && readers[field]?.(of[field] as NonNullable<T[keyof T]>, ...context);
}

type Optional<T> = T | null | undefined;

export function readPayload(payload: Optional<Payload>): unknown {
  return payload ? defaultPayloadConverter.fromPayload(payload) : undefined;
}

/** What an operator reads beside an activity or timer, in quotes; empty where there is none. */
export function summaryLabel(metadata: Optional<{ summary?: Optional<Payload> }>): string {
  const summary = readPayload(metadata?.summary);
  return summary ? `'${String(summary)}'` : '';
}

/** The summary, else the duration. */
export function timerLabel(
  metadata: Parameters<typeof summaryLabel>[0],
  duration: Parameters<typeof optionalTsToMs>[0],
): string {
  return summaryLabel(metadata) || `of ${(optionalTsToMs(duration) ?? 0) / 1000} s`;
}

export function namesLabel(attributes: Optional<{ indexedFields?: Optional<object> }>): string {
  const names = Object.keys(attributes?.indexedFields ?? {}).toSorted();
  return names.map((name) => `\`${name}\``).join(', ');
}
