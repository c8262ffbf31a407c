import { existsSync } from 'node:fs';
import process from 'node:process';
import type { Client } from '@temporalio/client';
import { historyFile, saveHistory } from '../saved-histories.ts';

/** The newest run of a workflow unless one is named. */
export type RunToSave = string | { workflowId: string; runId: string };

/** Servers and workers on which scenarios are made to happen. */
interface Service {
  temporal: Client;
  stop(): Promise<void>;
}

export interface Stage<Live extends Service> {
  start(): Promise<Live>;
  /** Scenarios by the name of the file. Each makes something happen and returns the run that is to be saved. */
  scenarios: Record<string, (service: Live) => Promise<RunToSave>>;
}

export function asRecorded<Live extends Service>(stage: Stage<Live>) {
  const names = Object.keys(stage.scenarios);
  return { names, record: (folder: string) => recordStage(stage, folder) };
}

/** Makes the scenarios happen that `folder` does not have yet, and saves their histories. */
async function recordStage<Live extends Service>(
  { start, scenarios }: Stage<Live>,
  folder: string,
): Promise<void> {
  const isSaved = (name: string) => existsSync(historyFile(folder, name));
  const missing = Object.entries(scenarios).filter(([name]) => !isSaved(name));
  for (const name of Object.keys(scenarios).filter(isSaved)) report(name, 'kept as it is');
  if (missing.length === 0) return;
  const service = await start();
  try {
    for (const [name, scenario] of missing) {
      const history = await fetchHistory(service.temporal, await scenario(service));
      report(name, `${await saveHistory(folder, name, history)} events`);
    }
  } finally {
    await service.stop();
  }
}

function fetchHistory({ workflow }: Client, run: RunToSave) {
  const { workflowId, runId } = typeof run === 'string' ? { workflowId: run, runId: '' } : run;
  return workflow.getHandle(workflowId, runId || undefined).fetchHistory();
}

function report(name: string, what: string): void {
  process.stdout.write(`${name.padEnd(34)}${what}\n`);
}
