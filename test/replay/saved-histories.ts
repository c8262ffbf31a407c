import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyFromJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import worker from '@temporalio/worker/package.json' with { type: 'json' };
import { cleanHistory, historyText } from '../../cli/history/clean-history.ts';

/** Histories of runs as they happened: a folder for each version of the SDK, in it one file per scenario. */
export const historiesFolder = fileURLToPath(new URL('./histories/', import.meta.url));

/** The SDK that is installed, whose workers make new histories. */
export const installedSdk: string = worker.version;

export interface SavedHistory {
  /** With the folder, such as `1.24.0/assigned`. */
  scenario: string;
  workflowId: string;
  history: History;
  /** The file as it is. */
  json: string;
}

export async function savedHistories(folder = historiesFolder): Promise<SavedHistory[]> {
  const files = await readdir(folder, { recursive: true });
  const names = files.filter((file) => file.endsWith('.json')).sort();
  return Promise.all(names.map((name) => readSaved(folder, name)));
}

async function readSaved(folder: string, name: string): Promise<SavedHistory> {
  const json = await readFile(path.join(folder, name), 'utf8');
  const history = historyFromJSON(JSON.parse(json));
  const scenario = name.replace(/\.json$/, '');
  const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
  return { scenario, workflowId: started?.workflowId || scenario, history, json };
}

/** The SDK whose worker began the run. Workers write it into the first workflow task that they complete. */
export function sdkOf({ events }: History): string | null {
  const written = events?.map((each) => each.workflowTaskCompletedEventAttributes?.sdkMetadata);
  return written?.find((metadata) => metadata?.sdkVersion)?.sdkVersion ?? null;
}

export const historyFile = (folder: string, scenario: string) =>
  path.join(folder, `${scenario}.json`);

/**
 * Cleaned as `leadctl history save` does it. Returns the number of events. Writes over no file: the history that
 * it holds would be lost.
 */
export async function saveHistory(
  folder: string,
  scenario: string,
  history: History,
): Promise<number> {
  const cleaned = cleanHistory(history);
  await mkdir(folder, { recursive: true });
  await writeFile(historyFile(folder, scenario), historyText(cleaned), { flag: 'wx' });
  return cleaned.events.length;
}
