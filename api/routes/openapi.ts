import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { defineRoute, noQuery, type Route } from '../http/route.ts';
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
    file('/docs', 'text/html', () => readPage('index.html'), PAGE_HEADERS),
    file('/docs/guide', 'text/markdown', () => readGuide('guide')),
    file('/docs/webhooks', 'text/markdown', () => readGuide('webhooks')),
    file('/docs/start.js', 'text/javascript', () => readPage('start.js')),
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

const PAGES = path.join(import.meta.dirname, '../openapi/reference');

const readPage = (name: string) => readFile(path.join(PAGES, name));

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
