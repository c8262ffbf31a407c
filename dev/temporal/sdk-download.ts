// Downloads a server as the SDK does, which starts it too: it is stopped at once.
// Usage: sdk-download.ts dev-server|time-skipping FOLDER
import process from 'node:process';
import { Runtime, DefaultLogger } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [what, downloadDir] = process.argv.slice(2);
Runtime.install({ logger: new DefaultLogger('ERROR') });
const server = {
  executable: { type: 'cached-download' as const, ...(downloadDir && { downloadDir }) },
};
try {
  const environment =
    what === 'dev-server'
      ? await TestWorkflowEnvironment.createLocal({ server })
      : await TestWorkflowEnvironment.createTimeSkipping({ server });
  await environment.teardown();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
