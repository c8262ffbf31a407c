import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import {
  historyFromJSON,
  historyToJSON,
  type History,
} from '@temporalio/common/lib/proto-utils.js';

/** Histories of runs as they happened, one file per scenario. */
export const historiesFolder = fileURLToPath(new URL('./histories/', import.meta.url));

export interface SavedHistory {
  scenario: string;
  workflowId: string;
  history: History;
  /** The file as it is. */
  json: string;
}

export async function savedHistories(folder = historiesFolder): Promise<SavedHistory[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map((file) => readSaved(path.join(folder, file))));
}

async function readSaved(file: string): Promise<SavedHistory> {
  const json = await readFile(file, 'utf8');
  const history = historyFromJSON(JSON.parse(json));
  const scenario = path.basename(file, '.json');
  const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
  return { scenario, workflowId: started?.workflowId || scenario, history, json };
}

/** Leaves out which machine ran it and keeps the rest unchanged. Returns the number of events. */
export async function saveHistory(
  folder: string,
  scenario: string,
  history: History,
): Promise<number> {
  const { events } = JSON.parse(historyToJSON(history), withoutMachine) as { events: unknown[] };
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, `${scenario}.json`),
    `${JSON.stringify({ events }, null, 2)}\n`,
  );
  return events.length;
}

/** Identities and names of sticky queues hold the process and the host, stack traces hold folders. */
function withoutMachine(key: string, value: unknown): unknown {
  if (key === 'identity') return 'worker';
  if (key === 'stackTrace') return '';
  const isSticky = (value as { kind?: string } | null)?.kind === 'TASK_QUEUE_KIND_STICKY';
  return isSticky ? { ...(value as object), name: 'sticky' } : value;
}

/** Saves the newest run of a workflow under the scenario's name. */
export type SaveRun = (scenario: string, client: Client, workflowId: string) => Promise<void>;
