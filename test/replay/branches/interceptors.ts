import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';
import type { CoverageMapData } from 'istanbul-lib-coverage';

export interface CoverageSinks extends Sinks {
  coverage: { report(counters: CoverageMapData): void };
}

const { coverage } = proxySinks<CoverageSinks>();

/** Reports the counters of the instrumented workflow after each activation. */
export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      concludeActivation(input, next) {
        coverage.report((globalThis as unknown as Counted).__coverage__);
        return next(input);
      },
    },
  ],
});

interface Counted {
  __coverage__: CoverageMapData;
}
