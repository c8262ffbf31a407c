import { continuingScenarios, versionedScenarios } from './continuing-scenarios.ts';
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
import { asRecorded } from './stage.ts';
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

/** Every scenario, by the servers and workers on which it happens. */
export const stages = [
  asRecorded({ start: () => startLiveService(), scenarios: liveScenarios }),
  asRecorded({ start: startVersionedService, scenarios: versionedScenarios }),
  asRecorded(retentionStage),
  asRecorded({ start: () => startDncrStage(), scenarios: dncrScenarios }),
  asRecorded({ start: startSlowDncrStage, scenarios: slowDncrScenarios }),
  asRecorded({ start: startMissingAttributesStage, scenarios: missingAttributesScenarios }),
  asRecorded({ start: startSkippingStage, scenarios: skippingScenarios }),
];
