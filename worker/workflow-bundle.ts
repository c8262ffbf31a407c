import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';

const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/** The workflows of `file`, which `npm run bundle` wrote, or of the sources where it is null. */
export async function loadWorkflows(file: string | null): Promise<WorkflowBundleOption> {
  return file === null ? bundleWorkflows() : { codePath: file };
}

/** Bundles the workflows of the sources, which takes one to two seconds. */
export const bundleWorkflows = () =>
  bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
