import { writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument } from '../../api/openapi/document.ts';
import { routes } from '../../api/routes/index.ts';

const TYPES_FILE = new URL('api.d.ts', import.meta.url);

export async function generateTypes(): Promise<string> {
  return astToString(await openapiTS(JSON.stringify(openApiDocument(routes))));
}

if (import.meta.main) await writeFile(TYPES_FILE, await generateTypes());
