import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { openApiDocument } from '../openapi/document.ts';
import { defineRoute, type Route } from '../http/route.ts';

const common = {
  method: 'GET',
  operationId: 'readDocument',
  summary: 'The OpenAPI 3.1 document, or a file of its rendered reference',
  tag: 'Document',
  auth: 'none',
  response: { description: 'As it is', schema: z.unknown() },
} as const;

/** GET /openapi.json and the rendered reference at /docs, for everybody. */
export function documentRoutes(routes: readonly Route[]): Route[] {
  const document = openApiDocument(routes);
  return [
    defineRoute({ ...common, path: '/openapi.json', handle: async () => document }),
    page('/docs', 'text/html; charset=utf-8', async () => HTML, PAGE_HEADERS),
    page('/docs/start.js', 'text/javascript; charset=utf-8', async () => START),
    asset('swagger-ui.css', 'text/css; charset=utf-8'),
    asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
    asset('favicon-32x32.png', 'image/png'),
  ];
}

function page(path: string, type: string, read: () => Promise<unknown>, headers = {}): Route {
  return defineRoute({
    ...common,
    path,
    handle({ setHeaders }) {
      setHeaders({ 'Content-Type': type, ...headers });
      return read();
    },
  });
}

const { resolve } = createRequire(import.meta.url);

/** Read at its first request. */
function asset(name: string, type: string): Route {
  let bytes: Promise<Buffer> | undefined;
  return page(`/docs/${name}`, type, () => {
    bytes ??= readFile(resolve(`swagger-ui-dist/${name}`));
    return bytes;
  });
}

/** Everything is served from here; the page's script sets inline styles. */
const PAGE_HEADERS = {
  'Content-Security-Policy': [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
};

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lead Intake: reference</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" href="docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/**
 * Requests leave the browser's own credentials out: after a wrong secret it would otherwise ask for a user and a
 * password of its own. What is typed under "Authorize" is kept in the page's memory only.
 */
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
  validatorUrl: null,
});
`;
