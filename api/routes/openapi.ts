import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { BASE_PATH, defineRoute, noQuery, type Route, TOKEN_PATH } from '../http/route.ts';
import { INTERFACE_REVISION, openApiDocument } from '../openapi/document.ts';
import { webhooksDocument } from '../openapi/webhooks.ts';

const common = {
  method: 'GET',
  operationId: 'readDocument',
  summary: 'The OpenAPI 3.1 document, or a file of its rendered reference',
  tag: 'Document',
  auth: 'none',
  query: noQuery,
  response: { description: 'As it is', schema: z.unknown() },
  hasOwnValidator: true,
} as const;

export function documentRoutes(routes: readonly Route[]): Route[] {
  return [
    file('/openapi.json', 'application/json', async () => JSON.stringify(openApiDocument(routes))),
    file('/openapi-webhooks.json', 'application/json', async () =>
      JSON.stringify(webhooksDocument(INTERFACE_REVISION)),
    ),
    file('/docs', 'text/html', async () => HTML, PAGE_HEADERS),
    file('/docs/guide', 'text/markdown', () => readGuide('guide')),
    file('/docs/webhooks', 'text/markdown', () => readGuide('webhooks')),
    file('/docs/start.js', 'text/javascript', async () => START),
    file('/docs/swagger-ui.css', 'text/css', () => readAsset('swagger-ui.css')),
    file('/docs/swagger-ui-bundle.js', 'text/javascript', () => readAsset('swagger-ui-bundle.js')),
    file('/docs/favicon-32x32.png', 'image/png', () => readAsset('favicon-32x32.png')),
  ];
}

function file(
  path: string,
  type: string,
  read: () => Promise<string | Buffer>,
  headers: Record<string, string> = {},
): Route {
  let made: ReturnType<typeof makeFile> | undefined;
  return defineRoute({
    ...common,
    path,
    async handle({ http }) {
      made ??= makeFile(read).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      const { plain, compressed, hash } = await made;
      const isCompressed = http.acceptsEncodings('gzip', 'identity') === 'gzip';
      http.set({
        'Content-Type': type === 'image/png' ? type : `${type}; charset=utf-8`,
        Vary: 'Accept-Encoding',
        ETag: isCompressed ? `"${hash}-gzip"` : `"${hash}"`,
        ...(isCompressed && { 'Content-Encoding': 'gzip' }),
        ...headers,
      });
      return isCompressed ? compressed : plain;
    },
  });
}

async function makeFile(read: () => Promise<string | Buffer>) {
  const plain = Buffer.from(await read());
  const hash = createHash('sha256').update(plain).digest('base64url');
  return { plain, compressed: await promisify(gzip)(plain), hash };
}

const { resolve } = createRequire(import.meta.url);

const readAsset = (name: string) => readFile(resolve(`swagger-ui-dist/${name}`));

/** The page's script sets inline styles. */
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
<nav><a href="docs/guide">Guide</a> · <a href="docs/webhooks">Webhooks</a></nav>
<div id="reference"></div>
<div id="webhooks"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Requests omit the browser's credentials: after a wrong secret, it would ask for a user and a password. */
const START = `const common = {
  persistAuthorization: false,
  requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
  responseInterceptor(response) {
    if (!/\\/openapi(-webhooks)?\\.json$/.test(response.url)) return response;
    const shown = JSON.parse(response.text);
    shown.externalDocs.url = new URL(shown.externalDocs.url).pathname;
    if (shown.paths['${TOKEN_PATH}']) shown.servers = [{ url: '${BASE_PATH}' }];
    return { ...response, text: JSON.stringify(shown) };
  },
  validatorUrl: null,
};
SwaggerUIBundle({ ...common, url: 'openapi.json', dom_id: '#reference', deepLinking: true });
SwaggerUIBundle({ ...common, url: 'openapi-webhooks.json', dom_id: '#webhooks' });
`;

export const guides = {
  guide: 'integration.md',
  webhooks: 'integration-webhooks.md',
} as const;

const FOLDER = path.join(import.meta.dirname, '../../docs');

async function readGuide(name: keyof typeof guides): Promise<string> {
  const markdown = await readFile(path.join(FOLDER, guides[name]), 'utf8');
  return Object.entries(guides).reduce(
    (text, [page, file]) => text.replaceAll(`](${file}`, `](${page}`),
    markdown,
  );
}
