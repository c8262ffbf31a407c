import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { readDifference, type Difference } from './difference.ts';
import { readHistory, UnreadableHistory } from './read-history.ts';

export interface HistorySource {
  name: string;
  /** JSON. Null if the history is gone. */
  read(): Promise<string | null>;
}

export interface Outcome {
  name: string;
  type: string | null;
  difference: Difference | null;
}

const WORKFLOWS = new URL('../../workflows/index.ts', import.meta.url);

export async function replayHistories(
  histories: readonly HistorySource[],
  report: (outcome: Outcome) => void,
  workflows = WORKFLOWS,
): Promise<void> {
  let current: NamedRun | undefined;

  async function* replayable() {
    for (const source of histories) {
      current = await readOrReport(source, report);
      if (current) yield current;
    }
  }

  const logger = new DefaultLogger('ERROR');
  const workflowsPath = fileURLToPath(workflows);
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger });
  const options = { workflowBundle, debugMode: false }; // which ends code that loops for ever
  for await (const { error } of Worker.runReplayHistories(options, replayable())) {
    if (!current) continue;
    const { name, type, events } = current;
    report({ name, type, difference: error ? readDifference(error, events) : null });
  }
}

type NamedRun = ReturnType<typeof readHistory> & { name: string };

async function readOrReport({ name, read }: HistorySource, report: (outcome: Outcome) => void) {
  try {
    const json = await read();
    if (json === null) return undefined;
    const run = { name, ...readHistory(json) };
    if (run.events.some((event) => event.workflowTaskCompletedEventAttributes)) return run;
    // Any code is compatible with a run without a completed workflow task.
    report({ name, type: run.type, difference: null });
  } catch (error) {
    if (!(error instanceof UnreadableHistory)) throw error;
    const difference = { eventId: null, history: error.message, code: '' };
    report({ name, type: null, difference });
  }
  return undefined;
}
