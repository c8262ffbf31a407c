import path from 'node:path';
import process from 'node:process';
import '../../support/quiet-temporal.ts';
// @ts-expect-error -- plain JavaScript, for jest
import { startServers } from '../../setup.mjs';
// @ts-expect-error -- plain JavaScript, for jest
import teardown from '../../teardown.mjs';
import { historiesFolder, installedSdk } from '../saved-histories.ts';
import { LONG_HISTORY_EVENTS } from './continuing-scenarios.ts';
import { stages } from './stages.ts';

/**
 * `npm run histories [-- folder]` makes every scenario happen on real servers of which there is no history by the
 * installed SDK yet, and saves what Temporal kept of it; without a folder beside the histories that the replay
 * tests read.
 */
async function main(folder: string): Promise<void> {
  const target = path.join(folder, installedSdk);
  await startServers({ 'limit.historyCount.suggestContinueAsNew': String(LONG_HISTORY_EVENTS) });
  try {
    for (const { record } of stages) await record(target);
  } finally {
    await teardown();
  }
}

await main(path.resolve(process.argv[2] ?? historiesFolder));
