import { promiseHooks } from 'node:v8';
import type { InjectedSinks } from '@temporalio/worker';
import type { Command, RecorderSinks } from './recorder.ts';

/** What workflow code did in one workflow task, in order. */
export type TraceEntry =
  | { command: Command; stacks: readonly Error[] }
  /** The marker of a local activity is recorded when it ends, not when it is scheduled. */
  | { resolvedSeq: number };

/** By the event that started the workflow task. */
export type Trace = ReadonlyMap<number, readonly TraceEntry[]>;

const ENDS = [
  'completeWorkflowExecution',
  'failWorkflowExecution',
  'cancelWorkflowExecution',
  'continueAsNewWorkflowExecution',
] as const;

const isEnd = (command: Command) => ENDS.some((field) => command[field]);

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
