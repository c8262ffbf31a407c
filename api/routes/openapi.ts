import { z } from 'zod';
import { openApiDocument } from '../openapi/document.ts';
import { docsPages, type DocsPage } from '../openapi/docs-pages.ts';
import { defineRoute, type Route } from '../http/route.ts';

const common = { method: 'GET', tag: 'Document', auth: 'none' } as const;
const untyped = { description: 'As it is', schema: z.unknown() };

/** GET /openapi.json and the rendered reference at /docs, for everybody. */
export function documentRoutes(routes: readonly Route[]): Route[] {
  const document = openApiDocument(routes);
  const json = defineRoute({
    ...common,
    path: '/openapi.json',
    operationId: 'readDocument',
    summary: 'This interface as an OpenAPI 3.1 document',
    responses: { 200: untyped },
    handle: async () => ({ status: 200, body: document }),
  });
  return [json, ...docsPages.map(pageRoute)];
}

function pageRoute({ path, contentType, read, headers }: DocsPage): Route {
  return defineRoute({
    ...common,
    path,
    operationId: `readPage${path.replaceAll(/\W+/g, '_')}`,
    summary: 'A file of the rendered reference',
    responses: { 200: untyped },
    handle: async () => ({
      status: 200,
      headers: { 'Content-Type': contentType, ...headers },
      body: await read(),
    }),
  });
}
