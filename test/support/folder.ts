import { chmodSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fromSetup } from './environment.ts';

/** Removed at the end of the run; open to other accounts, since Postgres may run as one. */
export function newFolder(): string {
  const folder = mkdtempSync(path.join(fromSetup('TEST_FOLDER'), 'made-'));
  chmodSync(folder, 0o755);
  return folder;
}
