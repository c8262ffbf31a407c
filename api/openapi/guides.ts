import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Marked, type Tokens } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';

/** The guides of docs/ as pages, by the name below `/docs`. */
export const guides = {
  guide: 'integration.md',
  webhooks: 'integration-webhooks.md',
} as const;
type GuideName = keyof typeof guides;

const FOLDER = path.join(import.meta.dirname, '../../docs');

export async function renderGuide(name: GuideName): Promise<string> {
  const markdown = await readFile(path.join(FOLDER, guides[name]), 'utf8');
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
