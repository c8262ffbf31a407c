import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type BundleOptions } from '@temporalio/worker';

const moduleFile = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Bundles workflows as the worker does, with the recorder of commands, into a file of `folder`. */
export async function bundleForReplay(
  folder: string,
  options: Pick<BundleOptions, 'workflowsPath' | 'webpackConfigHook'>,
): Promise<string> {
  const { code } = await bundleWorkflowCode({
    ...options,
    workflowInterceptorModules: [moduleFile('./recorder.ts')],
    preloadModules: [moduleFile('./stack-depth.ts')],
    logger: new DefaultLogger('ERROR'),
  });
  const file = path.join(folder, 'workflows.js');
  await writeFile(file, code);
  return file;
}
