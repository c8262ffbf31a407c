import type { ReplayResult } from '@temporalio/worker';
import { codeTasks } from './code-steps.ts';
import { findDifference } from './difference.ts';
import { historyTasks, type HistoryEvent } from './history-steps.ts';
import type { Failure } from './outcome.ts';
import type { RecordedRun } from './read-history.ts';
import type { LinesOf, SourceLine } from './source-lines.ts';
import { readSdkMessage, readThrownError, type ThrownError } from './thrown-error.ts';
import type { Trace } from './trace.ts';

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

/** Of the first stack that has any; where a run ends by itself, of the workflow's own `return` or `throw`. */
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
