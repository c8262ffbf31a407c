import type { CodeStep, CodeTask } from './code-steps.ts';
import type { EventStep, HistoryTask } from './history-steps.ts';
import { asCommand, asEvent, isSameStep } from './steps.ts';

/** The first point at which code and history differ. */
export interface Difference {
  text: string;
  /** What the code does, without the history's side. */
  command: string;
  /** The code does more than the history holds. */
  isExtra: boolean;
  /** Of the command that differs, else of the last one before; empty where there is none. */
  stacks: readonly Error[];
}

/** Null where the code does what the history holds, as far as the replay went. */
export function findDifference(
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
    command,
  ].filter(Boolean);
  return { ...differenceAt(event, command, step), text: differenceText(event, String(code)) };
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

function differenceAt(event: EventStep, command: string, step: CodeStep | undefined): Difference {
  const text = differenceText(event, command);
  return { text, command, isExtra: false, stacks: step?.stacks ?? [] };
}

function differenceText(event: EventStep, code: string): string {
  return `event ${event.eventId}: ${asEvent(event)} in the history, the code ${code}`;
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
