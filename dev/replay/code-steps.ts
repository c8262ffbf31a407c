import { promiseHooks } from 'node:v8';
import type { InjectedSinks } from '@temporalio/worker';
import {
  namesLabel,
  readStep,
  summaryLabel,
  timerLabel,
  step,
  type Readers,
  type Step,
} from './steps.ts';
import type { Command, RecorderSinks } from './recorder.ts';

export interface CodeStep extends Step {
  /** Where it comes from; a later one is of use where those before have no line of the workflow. */
  stacks: readonly Error[];
}

export interface CodeTask {
  steps: CodeStep[];
  /** Local activities that have not ended yet: the history gets their marker when they do. */
  openLocalActivities: CodeStep[];
}

type Issued = Extract<TraceEntry, { command: Command }>;

/** What the code does in each workflow task, in terms of the events that a history would get. */
export function codeTasks(
  trace: Trace,
  updateNames: ReadonlyMap<string, string>,
): Map<number, CodeTask> {
  const commands = [...trace.values()].flat().filter((entry) => entry.command !== undefined);
  const open = new Map<number, CodeStep>();
  return new Map(
    [...trace].map(([startedEventId, entries]) => [startedEventId, readTask(entries)]),
  );

  function readTask(entries: readonly TraceEntry[]): CodeTask {
    const sent = withoutCancelledAtOnce(entries);
    // The command that ends a run is sent last, whatever is issued after it.
    const sorted = sent.toSorted((a, b) => Number(isEnd(a.command)) - Number(isEnd(b.command)));
    const steps = sorted.flatMap((entry) => readEntry(entry) ?? []);
    return { steps, openLocalActivities: [...open.values()] };
  }

  function readEntry(entry: TraceEntry): CodeStep | undefined {
    if (!entry.command) {
      const local = open.get(entry.resolvedSeq);
      open.delete(entry.resolvedSeq);
      return local;
    }
    const { command, stacks } = entry;
    const { scheduleLocalActivity: local, userMetadata } = command;
    if (!local) return readCommand(entry);
    const found = step('localActivity', local.activityType, summaryLabel(userMetadata));
    open.set(local.seq ?? 0, { ...found, stacks });
    return undefined;
  }

  function readCommand({ command, stacks }: Issued): CodeStep | undefined {
    const cancelled = findCancelled(command, commands);
    const context = { command, cancelled: cancelled?.command, commands, updateNames };
    const found = readStep(READERS, command, context);
    return found && { ...found, stacks: [...stacks, ...(cancelled?.stacks ?? [])] };
  }
}

interface Context {
  command: Command;
  /** The command that scheduled what this one cancels. */
  cancelled: Command | undefined;
  commands: readonly Issued[];
  updateNames: ReadonlyMap<string, string>;
}

const ABANDON = 2;

/** A command that no event tells of is missing here. */
const READERS: Readers<Command, [Context]> = {
  scheduleActivity: ({ activityType }, { command }) =>
    step('activity', activityType, summaryLabel(command.userMetadata)),
  requestCancelActivity(_, { cancelled }) {
    const { activityType, cancellationType } = cancelled?.scheduleActivity ?? {};
    const isSent = Number(cancellationType) !== ABANDON;
    return isSent ? step('activityCancellation', activityType) : undefined;
  },
  startTimer: ({ startToFireTimeout }, { command }) =>
    step('timer', '', timerLabel(command.userMetadata, startToFireTimeout)),
  cancelTimer(_, { cancelled }) {
    const duration = cancelled?.startTimer?.startToFireTimeout;
    return step('timerCancellation', '', timerLabel(cancelled?.userMetadata, duration));
  },
  setPatchMarker: ({ patchId }) => step('patch', patchId),
  upsertWorkflowSearchAttributes: ({ searchAttributes }) =>
    step('searchAttributes', '', namesLabel(searchAttributes)),
  modifyWorkflowProperties: () => step('memo'),
  updateResponse({ protocolInstanceId: id, accepted }, { commands, updateNames }) {
    const isAccepted = commands.some(({ command: { updateResponse: response } }) =>
      Boolean(response?.protocolInstanceId === id && response?.accepted),
    );
    const completed = isAccepted ? 'updateCompleted' : 'updateRejected';
    return step(accepted ? 'updateAccepted' : completed, updateNames.get(id ?? ''));
  },
  startChildWorkflowExecution: ({ workflowType }) => step('childWorkflow', workflowType),
  signalExternalWorkflowExecution: ({ signalName }) => step('signal', signalName),
  cancelChildWorkflowExecution: () => step('cancelRequest'),
  requestCancelExternalWorkflowExecution: () => step('cancelRequest'),
  scheduleNexusOperation: ({ operation }) => step('nexusOperation', operation),
  requestCancelNexusOperation: () => step('nexusCancellation'),
  completeWorkflowExecution: () => step('completion'),
  failWorkflowExecution: () => step('failure'),
  cancelWorkflowExecution: () => step('cancellation'),
  continueAsNewWorkflowExecution: () => step('continueAsNew'),
};

function findCancelled(command: Command, among: readonly TraceEntry[]): Issued | undefined {
  const { cancelTimer, requestCancelActivity } = command;
  const issued = among.filter((entry) => entry.command !== undefined);
  if (cancelTimer) return issued.find((it) => it.command.startTimer?.seq === cancelTimer.seq);
  return requestCancelActivity
    ? issued.find((it) => it.command.scheduleActivity?.seq === requestCancelActivity.seq)
    : undefined;
}

/** What is cancelled in the task that scheduled it never reaches the server. */
function withoutCancelledAtOnce(entries: readonly TraceEntry[]): TraceEntry[] {
  const unsent = new Set<TraceEntry>();
  for (const entry of entries) {
    const cancelled = entry.command && findCancelled(entry.command, entries);
    if (cancelled) unsent.add(entry).add(cancelled);
  }
  return entries.filter((entry) => !unsent.has(entry));
}

/** What workflow code did in one workflow task, in order. */
export type TraceEntry =
  | { command: Command; stacks: readonly Error[] }
  /** The marker of a local activity is recorded when it ends, not when it is scheduled. */
  | { command?: undefined; resolvedSeq: number };

/** Entries by the event that started the workflow task. */
export type Trace = ReadonlyMap<number, readonly TraceEntry[]>;

const END_COMMANDS = [
  'completeWorkflowExecution',
  'failWorkflowExecution',
  'cancelWorkflowExecution',
  'continueAsNewWorkflowExecution',
] as const;

const isEnd = (command?: Command) => END_COMMANDS.some((field) => command?.[field]);

/** Records what the code does in the history that is being replayed. */
export function createTracer() {
  let tasks = new Map<number, TraceEntry[]>();
  const settled = recordSettledPromises();
  function entries(startedEventId: number): TraceEntry[] {
    const found = tasks.get(startedEventId) ?? [];
    tasks.set(startedEventId, found);
    return found;
  }
  const sinks: InjectedSinks<RecorderSinks> = {
    recorder: {
      activated: {
        callDuringReplay: true,
        fn: ({ historyLength }) => void entries(historyLength),
      },
      localActivityResolved: {
        callDuringReplay: true,
        fn: ({ historyLength }, resolvedSeq) => void entries(historyLength).push({ resolvedSeq }),
      },
      command: {
        callDuringReplay: true,
        fn({ historyLength }, command, issuedAt) {
          const stacks = isEnd(command) ? [issuedAt, ...settled.newestFirst()] : [issuedAt];
          entries(historyLength).push({ command, stacks });
        },
      },
    },
  };
  return {
    sinks,
    /** Begins the next history; gives what was recorded in the one before. */
    take(): Trace {
      const taken = tasks;
      tasks = new Map();
      settled.clear();
      return taken;
    },
  };
}

const KEPT = 16;

/**
 * The command that ends a run has no line of the workflow in its stack: the SDK issues it once the workflow's
 * promise is settled. The stack of that settling has the line of the `return` or `throw`.
 */
function recordSettledPromises() {
  const stacks: Error[] = [];
  promiseHooks.onSettled((promise) => {
    if (promise instanceof Promise) return; // of this process, not of the workflow's sandbox
    stacks.push(new Error('settled here'));
    if (stacks.length > KEPT) stacks.shift();
  });
  return {
    newestFirst: () => stacks.toReversed(),
    clear: () => void stacks.splice(0),
  };
}
