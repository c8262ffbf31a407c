import type { ReplayResult } from '@temporalio/worker';
import { codeTasks, type Trace, type CodeStep, type CodeTask } from './code-steps.ts';
import {
  historyTasks,
  type HistoryEvent,
  type RecordedRun,
  type EventStep,
  type HistoryTask,
} from './history.ts';
import type { LinesOf, SourceLine } from './source-lines.ts';
import { asCommand, asEvent, isSameStep } from './steps.ts';

/** What became of one history. */
export interface Outcome {
  /** The name of its file, or the ids of its run. */
  name: string;
  /** The workflow type; null where the history does not say. */
  type: string | null;
  runId: string | null;
  failure: Failure | null;
}

export interface Failure {
  /** What the history holds and what the code does instead. */
  text: string;
  /** Lines of the workflows, the innermost first; empty where none is known. */
  at: readonly string[];
  /** What the code does at the first of these lines, where it differs from the history. */
  command?: string;
}

/**
 * What is wrong with a replay, or null. The SDK decides, but for one case: it accepts one more command at the end
 * of an open run.
 */
export function findFailure(
  run: RecordedRun,
  trace: Trace,
  error: ReplayResult['error'],
  linesOf: LinesOf,
): Failure | null {
  const thrown = error && readThrownError(error.message);
  if (thrown) return describeThrown(thrown, run, trace, linesOf);
  const tasks = historyTasks(run.events);
  const difference = findDifference(tasks, codeTasks(trace, updateNames(run.events)));
  if (difference && (error || difference.isExtra)) {
    const { text, command, stacks } = difference;
    return { text, command, at: formatLines(findLines(run.type, stacks, linesOf)) };
  }
  return error ? { text: readSdkMessage(error.message), at: [] } : null;
}

function describeThrown(
  { text, stack }: ThrownError,
  { type }: RecordedRun,
  trace: Trace,
  linesOf: LinesOf,
): Failure {
  if (text.includes(`Failed to initialize workflow of type '${type}': no such function`))
    return { text: `the code has no workflow type \`${type}\``, at: [] };
  const startedEventId = [...trace.keys()].at(-1) ?? 1;
  return {
    text: `event ${startedEventId}: in this workflow task the code throws ${text}`,
    at: formatLines(linesOf(stack)),
  };
}

function updateNames(events: readonly HistoryEvent[]): Map<string, string> {
  const accepted = events.flatMap(
    (event) => event.workflowExecutionUpdateAcceptedEventAttributes ?? [],
  );
  return new Map(
    accepted.map(({ protocolInstanceId, acceptedRequest }) => [
      protocolInstanceId ?? '',
      acceptedRequest?.input?.name ?? '',
    ]),
  );
}

/** Finds the lines of the first stack that has any. If a run ends by itself, those of the workflow's `return` or `throw`. */
function findLines(type: string, stacks: readonly Error[], linesOf: LinesOf): SourceLine[] {
  const [issued = [], ...others] = stacks.map(({ stack }) => linesOf(stack));
  if (issued.length > 0) return issued;
  const own = others.find(([innermost]) => innermost?.name === type);
  return own ?? others.find((lines) => lines.length > 0) ?? [];
}

const SHOWN_LINES = 6;

/** A function without a name on the line of the one that it stands in is not shown. */
function formatLines(lines: readonly SourceLine[]): string[] {
  const names = new Map<string, string>();
  for (const { place, name } of lines) names.set(place, names.get(place) || name);
  const formatted = [...names].map(([place, name]) => (name ? `${place} (${name})` : place));
  return formatted.slice(0, SHOWN_LINES);
}

/** The first point at which code and history differ. */
export interface Difference {
  text: string;
  /** What the code does, without the history's side. */
  command: string;
  /** The code does more than the history holds. */
  isExtra: boolean;
  /** Stacks of the command that differs, or of the last one before it. Empty if there is none. */
  stacks: readonly Error[];
}

/** Null where the code does what the history holds, as far as the replay went. */
function findDifference(
  tasks: readonly HistoryTask[],
  codeTasks: ReadonlyMap<number, CodeTask>,
): Difference | null {
  let before: CodeTask = { steps: [], openLocalActivities: [] };
  for (const task of tasks) {
    // The SDK hands over a last task without commands with all of its events.
    const code = codeTasks.get(task.startedEventId) ?? codeTasks.get(task.completedEventId);
    const found = code ? compareTask(task, code, before) : missingMarker(task, before);
    if (found || !code) return found;
    before = code;
  }
  return null;
}

function compareTask(task: HistoryTask, code: CodeTask, before: CodeTask): Difference | null {
  const [events, steps] = withoutFreePatches(task.steps, code.steps);
  // A task ends while a local activity is open only to go on in a next task, which is then in the history.
  const wanted = task.isAtEnd ? [...steps, ...code.openLocalActivities] : steps;
  const index = events.findIndex((event, i) => !wanted[i] || !isSameStep(event, wanted[i]));
  const [event, step] = [events[index], wanted[index]];
  if (event && step) return other(event, step, events.slice(index + 1), wanted.slice(index + 1));
  const last = [...before.steps, ...steps].at(-1);
  if (event) return missing(event, code.openLocalActivities[0], last);
  const extra = wanted[events.length];
  return extra ? unexpected(extra, events.at(-1)?.eventId ?? task.completedEventId, task) : null;
}

function other(
  event: EventStep,
  step: CodeStep,
  laterEvents: readonly EventStep[],
  laterSteps: readonly CodeStep[],
): Difference {
  const sameEvent = laterEvents.find((later) => isSameStep(later, step));
  const isDoneLater = laterSteps.some((later) => isSameStep(later, event));
  const command = asCommand(step);
  const [code] = [
    sameEvent && isDoneLater && `${command} first, which is event ${sameEvent.eventId}`,
    sameEvent && `does without and ${command}, which is event ${sameEvent.eventId}`,
    isDoneLater && `${command} before, which the history does not hold`,
  ].filter((text) => typeof text === 'string');
  return differenceAt(event, command, step, code);
}

function missing(event: EventStep, open?: CodeStep, last?: CodeStep): Difference {
  if (open) return differenceAt(event, asCommand(open), open);
  const after = last ? ` after it ${asCommand(last)}` : '';
  return differenceAt(event, `does nothing more${after}`, last);
}

function unexpected(step: CodeStep, eventId: number, { isAtEnd }: HistoryTask): Difference {
  const hint = isAtEnd ? ' (or the history is cut off)' : '';
  const command = asCommand(step);
  const text = `after event ${eventId}: nothing more of this task in the history, the code ${command}${hint}`;
  return { text, command, isExtra: true, stacks: step.stacks };
}

/** The SDK compares a marker before it hands the task to the code. */
function missingMarker(task: HistoryTask, { openLocalActivities }: CodeTask): Difference | null {
  const marker = task.steps.find(({ kind }) => kind === 'localActivity');
  const step = openLocalActivities.find((local) => marker && !isSameStep(local, marker));
  return marker && step ? differenceAt(marker, asCommand(step), step) : null;
}

function differenceAt(
  event: EventStep,
  command: string,
  step: CodeStep | undefined,
  said = command,
): Difference {
  const text = `event ${event.eventId}: ${asEvent(event)} in the history, the code ${said}`;
  return { text, command, isExtra: false, stacks: step?.stacks ?? [] };
}

/** The SDK passes over the marker of a patch that is deprecated, and over a patch without a marker. */
function withoutFreePatches(events: readonly EventStep[], steps: readonly CodeStep[]) {
  return [
    events.filter((event) => !event.isOptional || steps.some((step) => isSameStep(step, event))),
    steps.filter(
      ({ kind, name }) => kind !== 'patch' || events.some((event) => event.name === name),
    ),
  ] as const;
}

type ThrownError = NonNullable<ReturnType<typeof readThrownError>>;

const THROWN = 'Replay failed due workflow task failure';

/** The error that workflow code throws, as the SDK's message quotes it. Null for a failure of another sort. */
function readThrownError(message: string) {
  if (!message.startsWith(THROWN)) return null;
  const text = readField(message, 'message');
  const stack = readField(message, 'stack_trace');
  const [, name = 'Error'] = /^(\w*Error): /m.exec(stack) ?? [];
  return { text: `${name}: ${text}`, stack };
}

/** What the SDK says of commands and events that do not fit, without what surrounds it. */
function readSdkMessage(message: string): string {
  return readField(message, 'message').replace(/^\[TMPRL\d+\] /, '') || message;
}

/** Reads a field of a Rust struct as `{:?}` prints it. */
function readField(message: string, field: string): string {
  const [, quoted = ''] = new RegExp(`\\b${field}: "((?:[^"\\\\]|\\\\.)*)"`).exec(message) ?? [];
  return quoted.replaceAll(/\\u\{(\w+)\}|\\(.)/g, (_, code: string | undefined, char: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (ESCAPES[char] ?? char),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0' };
