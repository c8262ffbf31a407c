import path from 'node:path';
import process from 'node:process';
import '../../support/quiet-temporal.ts';
// @ts-expect-error -- plain JavaScript, for jest
import setup from '../../setup.mjs';
// @ts-expect-error -- plain JavaScript, for jest
import teardown from '../../teardown.mjs';
import { historiesFolder, saveHistory, type SaveRun } from '../saved-histories.ts';
import { deliveryScenarios } from './delivery-scenarios.ts';
import { recordDncr } from './dncr-scenarios.ts';
import { housekeeping } from './housekeeping-scenario.ts';
import { leadScenarios } from './lead-scenarios.ts';
import { startLiveService } from './live-service.ts';
import { recordSkipping } from './skipping-scenarios.ts';

/**
 * `npm run histories [-- folder]` makes every scenario happen on real servers and saves what Temporal
 * kept of it; without a folder over the histories that the replay tests read.
 */
async function main(folder: string): Promise<void> {
  const save: SaveRun = async (scenario, client, workflowId) => {
    const history = await client.workflow.getHandle(workflowId).fetchHistory();
    const events = await saveHistory(folder, scenario, history);
    process.stdout.write(`${scenario.padEnd(30)}${String(events).padStart(4)} events\n`);
  };
  await setup();
  try {
    await recordLive(save);
    await recordDncr(save);
    await recordSkipping(save);
  } finally {
    await teardown();
  }
}

async function recordLive(save: SaveRun): Promise<void> {
  const service = await startLiveService();
  try {
    const scenarios = { ...leadScenarios, ...deliveryScenarios, housekeeping };
    for (const [name, scenario] of Object.entries(scenarios))
      await save(name, service.temporal, await scenario(service));
  } finally {
    await service.stop();
  }
}

await main(path.resolve(process.argv[2] ?? historiesFolder));
