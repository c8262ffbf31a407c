import { access, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { countEvents, fetchHistory, type WorkflowRun } from '../../temporal/workflow-runs.ts';
import type { Preparation, Refusal } from './prepare-history.ts';
import { readSaved, runFileName, stateAtEnd, stateOf, writeHistory } from './run-files.ts';

export interface SavedRun {
  type: string;
  state: string;
  /** `there`: its file is as it would be written; `gone`: its retention time ended meanwhile. */
  outcome: 'saved' | 'there' | 'refused' | 'gone';
  refusal?: Refusal;
}

/** Saves runs into a folder, one file each. */
export function createRunSaver(client: Client, folder: string, prepare: Preparation) {
  const fileOf = (run: WorkflowRun, state: string) => path.join(folder, runFileName(run, state));

  async function isThere(run: WorkflowRun): Promise<boolean> {
    const file = fileOf(run, stateOf(run));
    if (run.status !== 'Running') return exists(file);
    const saved = await readSaved(file);
    return saved !== null && saved.events.length >= ((await countEvents(client, run)) ?? 0);
  }

  async function saveRun(run: WorkflowRun): Promise<Omit<SavedRun, 'type'>> {
    if (await isThere(run)) return { state: stateOf(run), outcome: 'there' };
    const fetched = await fetchHistory(client, run);
    if (fetched === null) return { state: stateOf(run), outcome: 'gone' };
    const { history, findings } = await prepare(run.workflowId, fetched);
    const state = stateAtEnd(history);
    const file = fileOf(run, state);
    if (findings.length > 0) return { state, outcome: 'refused', refusal: { file, findings } };
    await writeHistory(file, history);
    return { state, outcome: 'saved' };
  }

  return async (run: WorkflowRun): Promise<SavedRun> => {
    const result = await saveRun(run);
    const isInFile = result.outcome === 'saved' || result.outcome === 'there';
    // What an earlier command saved of it while it was open.
    if (isInFile && result.state !== 'running') await rm(fileOf(run, 'running'), { force: true });
    return { type: run.type, ...result };
  };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
