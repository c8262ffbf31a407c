import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';

const WRITE = path.join(import.meta.dirname, 'write-workflow-bundle.ts');
const workflowsPath = path.join(import.meta.dirname, '../workflows/index.ts');

const run = promisify(execFile);

/** Null bundles the sources, in another process, since the bundler would leave 150 MB in this one. */
export async function loadWorkflows(file: string | null): Promise<WorkflowBundleOption> {
  if (file !== null) return { codePath: file };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lead-intake-workflows-'));
  try {
    const written = path.join(folder, 'workflows.js');
    await run(process.execPath, [WRITE, written]);
    return { code: await readFile(written, 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const bundleWorkflows = () =>
  bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
