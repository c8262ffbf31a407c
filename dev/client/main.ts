import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { generateClient } from './generate.ts';

const file = fileURLToPath(new URL('generated.ts', import.meta.url));
await writeFile(file, await generateClient(file));
