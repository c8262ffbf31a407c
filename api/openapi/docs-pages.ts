import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

export interface DocsPage {
  /** Below `/v2`. */
  path: string;
  contentType: string;
  headers?: Record<string, string>;
  read(): Promise<string | Buffer>;
}

/** Everything is served from here; the page's script sets inline styles. */
const CONTENT_SECURITY_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

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

/** Without a submit button: a client secret does not belong in a browser. */
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
`;

const resolve = createRequire(import.meta.url).resolve;
const kept = new Map<string, Promise<Buffer>>();

function asset(name: string, contentType: string): DocsPage {
  const read = () => {
    const bytes = kept.get(name) ?? readFile(resolve(`swagger-ui-dist/${name}`));
    kept.set(name, bytes);
    return bytes;
  };
  return { path: `/docs/${name}`, contentType, read };
}

export const docsPages: readonly DocsPage[] = [
  {
    path: '/docs',
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY },
    read: async () => HTML,
  },
  {
    path: '/docs/start.js',
    contentType: 'text/javascript; charset=utf-8',
    read: async () => START,
  },
  asset('swagger-ui.css', 'text/css; charset=utf-8'),
  asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  asset('favicon-32x32.png', 'image/png'),
];
