import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Marked, type Tokens } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { z } from 'zod';
import { BASE_PATH, defineRoute, type Route, TOKEN_PATH } from '../http/route.ts';
import { INTERFACE_REVISION, openApiDocument } from '../openapi/document.ts';
import { webhooksDocument } from '../openapi/webhooks.ts';

const common = {
  method: 'GET',
  operationId: 'readDocument',
  summary: 'The OpenAPI 3.1 document, or a file of its rendered reference',
  tag: 'Document',
  auth: 'none',
  response: { description: 'As it is', schema: z.unknown() },
  hasOwnValidator: true,
} as const;

/** GET /openapi.json and the rendered reference at /docs, for everybody. */
export function documentRoutes(routes: readonly Route[]): Route[] {
  const json = 'application/json; charset=utf-8';
  const document = async () => JSON.stringify(openApiDocument(routes));
  const webhooks = async () => JSON.stringify(webhooksDocument(INTERFACE_REVISION));
  return [
    file('/openapi.json', json, document),
    file('/openapi-webhooks.json', json, webhooks),
    file('/docs', 'text/html; charset=utf-8', async () => HTML, PAGE_HEADERS),
    guide('guide'),
    guide('webhooks'),
    file('/docs/start.js', 'text/javascript; charset=utf-8', async () => START),
    asset('swagger-ui.css', 'text/css; charset=utf-8'),
    asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
    asset('favicon-32x32.png', 'image/png'),
  ];
}

/** A file that is made once, at its first request, and is the same for everybody until the next release. */
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
    async handle({ setHeaders, acceptsEncoding }) {
      made ??= makeFile(read).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      const { plain, compressed, hash } = await made;
      const isCompressed = acceptsEncoding('gzip') === 'gzip';
      setHeaders({
        'Content-Type': type,
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

function asset(name: string, type: string): Route {
  return file(`/docs/${name}`, type, () => readFile(resolve(`swagger-ui-dist/${name}`)));
}

function guide(name: keyof typeof guides): Route {
  const read = () => renderGuide(guides[name]);
  return file(`/docs/${name}`, 'text/html; charset=utf-8', read, PAGE_HEADERS);
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
<nav><a href="docs/guide">Guide</a> · <a href="docs/webhooks">Webhooks</a></nav>
<div id="reference"></div>
<div id="webhooks"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/**
 * "Try it out" goes to the host that serves the page. Requests omit the browser's own credentials: after a wrong secret the
 * browser would otherwise ask for a user and a password. What is typed under "Authorize" stays in the page's memory.
 */
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

/** The guides of docs/ as pages, by the name below `/docs`. */
export const guides = {
  guide: 'integration.md',
  webhooks: 'integration-webhooks.md',
} as const;

const FOLDER = path.join(import.meta.dirname, '../../docs');

async function renderGuide(file: string): Promise<string> {
  const markdown = await readFile(path.join(FOLDER, file), 'utf8');
  const [, title = ''] = /^# (.*)$/m.exec(markdown) ?? [];
  const content = await new Marked(gfmHeadingId(), { walkTokens: linkToPages }).parse(markdown);
  return page(title, content);
}

/** A link from one guide to the other is one from page to page. */
function linkToPages(token: { type: string }): void {
  if (token.type !== 'link') return;
  const link = token as Tokens.Link;
  for (const [name, file] of Object.entries(guides))
    if (link.href.startsWith(file)) link.href = name + link.href.slice(file.length);
}

const STYLE = `
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 16px/1.5 sans-serif; color: #222; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #ccc; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
pre { background: #f5f5f5; overflow-x: auto; padding: 0.8rem; }
code { font-family: monospace; }
`;

const page = (title: string, content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="favicon-32x32.png">
<style>${STYLE}</style>
</head>
<body>
<nav><a href="../docs">Reference</a> · <a href="guide">Guide</a> · <a href="webhooks">Webhooks</a></nav>
${content}</body>
</html>
`;
