import { on } from 'node:events';
import process from 'node:process';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { findFailure, type Outcome } from './failure.ts';
import { hasWorkflowTask, readHistory, UnreadableHistory, type RecordedRun } from './history.ts';
import { createSourceLines } from './source-lines.ts';
import { createTracer } from './code-steps.ts';

/** A history to be replayed, in JSON. */
export interface Job {
  name: string;
  json: string;
}

/** Otherwise the heap of a process that is never idle grows for minutes before V8 cleans it up. */
const COLLECT_EVERY = 250;

/** Replays histories one after the other, each without anything left of the one before. For a process of its own. */
export async function replayJobs(
  bundleFile: string,
  jobs: AsyncIterable<Job>,
  report: (outcome: Outcome) => void,
): Promise<void> {
  const tracer = createTracer();
  const linesOf = createSourceLines(bundleFile);
  let current: { name: string; run: RecordedRun } | undefined;

  async function* replayable() {
    let count = 0;
    for await (const { name, json } of jobs) {
      count += 1;
      if (count % COLLECT_EVERY === 0) globalThis.gc?.();
      const run = readOrReport(name, json, report);
      if (!run) continue;
      current = { name, run };
      yield run;
    }
  }

  installRuntime();
  const options = { workflowBundle: { codePath: bundleFile }, sinks: tracer.sinks };
  for await (const { error } of ReplayWorker.runReplayHistories(options, replayable())) {
    const trace = tracer.take();
    if (!current) continue;
    const { name, run } = current;
    const failure = findFailure(run, trace, error, linesOf);
    report({ name, type: run.type, runId: run.runId, failure });
  }
}

function readOrReport(name: string, json: string, report: (outcome: Outcome) => void) {
  try {
    const run = readHistory(json);
    if (hasWorkflowTask(run)) return run;
    report({ name, type: run.type, runId: run.runId, failure: null });
  } catch (error) {
    if (!(error instanceof UnreadableHistory)) throw error;
    report({ name, type: null, runId: null, failure: { text: error.message, at: [] } });
  }
  return null;
}

type CreatorArguments = Parameters<(typeof Worker)['createWorkflowCreator']>;

/**
 * Has no time limit for each step into the sandbox: the limit starts a thread each time, which takes half of a
 * replay's time. Who waits for this process ends it when it takes too long.
 */
class ReplayWorker extends Worker {
  protected static override createWorkflowCreator(...[bundle, options, log]: CreatorArguments) {
    const noLimit = undefined as unknown as number;
    return super.createWorkflowCreator(
      bundle,
      { ...options, isolateExecutionTimeoutMs: noLimit },
      log,
    );
  }
}

function installRuntime(): void {
  const logger = new DefaultLogger('ERROR', () => undefined);
  // The outcome reports a failure; the SDK would also print it for each event.
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'OFF' } } });
  // Otherwise the SDK takes a stack at each promise, for a query that a replay never gets: half of the rest.
  globalHandlers.installed = true;
}

const [, , bundleFile = ''] = process.argv;

/** Ends when the parent process closes the channel or is gone. */
async function* receiveJobs(): AsyncGenerator<Job> {
  const messages = on(process, 'message', { close: ['disconnect'] });
  process.send?.('ready');
  for await (const [job] of messages) yield job as Job;
}

await replayJobs(bundleFile, receiveJobs(), (outcome) => void process.send?.(outcome));
