import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkflowRun } from '../../temporal/workflow-runs.ts';
import { fileError, writeAtomically } from '../files.ts';
import { historyText, type HistoryJson } from './clean-history.ts';
import { kindsIn } from './personal-data.ts';

/** The files of saved runs: `LeadLifecycle.completed.lead_<id>.<run id>.json`. */

const CLOSED =
  /^EVENT_TYPE_WORKFLOW_EXECUTION_(COMPLETED|FAILED|CANCELED|TERMINATED|CONTINUED_AS_NEW|TIMED_OUT)$/;

/** `running`, or how the run ended; visibility learns of that later than the history. */
export function stateAtEnd({ events }: HistoryJson): string {
  const [, ending = 'running'] = CLOSED.exec(events.at(-1)?.eventType ?? '') ?? [];
  return ending.toLowerCase().replaceAll('_', '-');
}

/** As in the files' names: `continued-as-new` */
export const stateOf = ({ status }: WorkflowRun) =>
  status.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** The run's id makes it unique, so the other parts may be changed to fit into a name. */
export function runFileName({ type, workflowId, runId }: WorkflowRun, state: string): string {
  return `${[nameSafe(type), state, nameSafe(workflowId), runId].join('.')}.json`;
}

const MOST_CHARACTERS = 90;

/** Somebody else's workflow may be named after a person. */
function nameSafe(id: string): string {
  if (kindsIn(id).length > 0) return 'withheld';
  return id.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MOST_CHARACTERS);
}

/** Makes the folder and removes what a run of the command that was killed had not finished. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const drafts = (await readdir(folder)).filter((name) =>
      /\.json\.[\da-f-]{36}\.part$/.test(name),
    );
    for (const name of drafts) await rm(path.join(folder, name), { force: true });
  } catch (error) {
    throw fileError(folder, 'written', error);
  }
}

/** Null: there is no such file, or it is none that this command wrote. */
export async function readSaved(file: string): Promise<HistoryJson | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as HistoryJson;
  } catch {
    return null;
  }
}

export function writeHistory(file: string, history: HistoryJson): Promise<void> {
  return writeAtomically(file, (draft) =>
    writeFile(draft, historyText(history)).catch((error: unknown) => {
      throw fileError(file, 'written', error);
    }),
  );
}
