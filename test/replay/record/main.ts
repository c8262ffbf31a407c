import path from 'node:path';
import process from 'node:process';
import '../../support/quiet-temporal.ts';
// @ts-expect-error -- plain JavaScript, for jest
import { startServers } from '../../setup.mjs';
// @ts-expect-error -- plain JavaScript, for jest
import teardown from '../../teardown.mjs';
import { historiesFolder, installedSdk } from '../saved-histories.ts';
import {
  continuingScenarios,
  LONG_HISTORY_EVENTS,
  versionedScenarios,
} from './continuing-scenarios.ts';
import { deliveryScenarios } from './delivery-scenarios.ts';
import {
  dncrScenarios,
  slowDncrScenarios,
  startDncrStage,
  startSlowDncrStage,
} from './dncr-scenarios.ts';
import { housekeeping, retentionStage } from './housekeeping-scenario.ts';
import { leadScenarios } from './lead-scenarios.ts';
import { startLiveService, startVersionedService } from './live-service.ts';
import { lockingScenarios } from './locking-scenarios.ts';
import {
  missingAttributesScenarios,
  startMissingAttributesStage,
} from './missing-attributes-scenarios.ts';
import { operatorScenarios } from './operator-scenarios.ts';
import { skippingScenarios, startSkippingStage } from './skipping-scenarios.ts';
import { recordStage } from './stage.ts';
import { waitingScenarios } from './waiting-scenarios.ts';

const liveScenarios = {
  ...leadScenarios,
  ...operatorScenarios,
  ...waitingScenarios,
  ...lockingScenarios,
  ...deliveryScenarios,
  ...continuingScenarios,
  housekeeping,
};

/**
 * `npm run histories [-- folder]` makes every scenario happen on real servers of which there is no history by the
 * installed SDK yet, and saves what Temporal kept of it; without a folder beside the histories that the replay
 * tests read.
 */
async function main(folder: string): Promise<void> {
  const target = path.join(folder, installedSdk);
  await startServers({ 'limit.historyCount.suggestContinueAsNew': String(LONG_HISTORY_EVENTS) });
  try {
    await recordStage({ start: () => startLiveService(), scenarios: liveScenarios }, target);
    await recordStage({ start: startVersionedService, scenarios: versionedScenarios }, target);
    await recordStage(retentionStage, target);
    await recordStage({ start: () => startDncrStage(), scenarios: dncrScenarios }, target);
    await recordStage({ start: startSlowDncrStage, scenarios: slowDncrScenarios }, target);
    const lacking = { start: startMissingAttributesStage, scenarios: missingAttributesScenarios };
    await recordStage(lacking, target);
    await recordStage({ start: startSkippingStage, scenarios: skippingScenarios }, target);
  } finally {
    await teardown();
  }
}

await main(path.resolve(process.argv[2] ?? historiesFolder));
