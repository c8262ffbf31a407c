import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { bundleWorkflows } from './workflow-bundle.ts';

const file = process.argv[2];
if (!file) {
  process.stderr.write('Name the file to write: npm run bundle -- FILE\n');
  process.exit(1);
}
const { code } = await bundleWorkflows();
await writeFile(file, code);
