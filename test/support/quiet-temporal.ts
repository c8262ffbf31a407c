import process from 'node:process';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

// Before anything else starts the SDK's runtime: a test that passes prints nothing. Activities log what the
// test expects of them, so only the SDK's own errors are printed.
const logger = new DefaultLogger('ERROR', ({ message, meta }) => {
  if (meta?.sdkComponent !== 'activity') process.stderr.write(`${message}\n`);
});
const errors = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
// The core reports each eviction of a worker that caches no workflow (e2e/test-service.ts) as a bug of its own.
const filter = `${errors},temporalio_sdk_core::worker::workflow::managed_run=OFF`;
Runtime.install({ logger, telemetryOptions: { logging: { filter } } });
