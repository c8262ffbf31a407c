import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Keepsakes } from './stack-state.ts';
import { leadctl, root } from './scripts.ts';
import type { Environment } from './settings.ts';

const DEMO_FILE = 'dev/demo/demo.json';

/** Imports the demo data once: what an operator changed since stays as it is. */
export async function importDemoData(keepsakes: Keepsakes, env: Environment): Promise<void> {
  const content = await readFile(path.join(root, DEMO_FILE));
  const fingerprint = createHash('sha256').update(content).digest('hex');
  if (keepsakes.get('demoData') === fingerprint) return;
  await leadctl(['import', DEMO_FILE], env);
  keepsakes.keep('demoData', fingerprint);
}
