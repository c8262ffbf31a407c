import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { escapeMarkdown, formatList } from '../../workflows/contracts/web-ui-page.ts';
import type { DeliverySnapshot, LeadSnapshot } from '../../workflows/contracts/lead-snapshot.ts';
import { describeLead } from '../../workflows/lead-page.ts';

/** Names of records that would be something else as Markdown. */
const names = [
  '[click](https://evil.example)',
  'https://evil.example/login',
  'www.evil.example',
  'WWW.evil.example',
  'mail ops@evil.example now',
  'mailto:ops@evil.example',
  '<img src=x onerror=alert(1)>',
  '<!-- -->',
  '&lt;b&gt;',
  '# Heading',
  '- item',
  '+ item',
  '2) item',
  '=== ',
  '_em_',
  '1. item',
  '> quote',
  '---',
  '**bold**',
  '~~gone~~',
  '`code`',
  '```',
  '    indented',
  '| a | b |',
  'two\nlines',
  'a\r\n- b',
  'a\u2028- b',
  'a\u2029# b',
  'a\u0085b',
  '[ref]: https://evil.example',
  '[^1]: note',
  '[ ] task',
  '\\[x](y)',
  'a\\',
  "'*' it",
  '\u202egnp.exe',
  '\u200b# x',
  'x\u0000y',
  '{workflowId}',
];

interface Node {
  type: string;
  value?: string;
  children?: Node[];
}

function parse(page: string): Node {
  const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
  return fromMarkdown(page, options);
}

const shapeOf = ({ type, children = [] }: Node): unknown => [
  type,
  ...children.filter(({ type }) => type !== 'text').map(shapeOf),
];

const textOf = ({ value = '', children = [] }: Node): string =>
  value + children.map(textOf).join('');

/** What is left of a name when spaces and invisible characters are not compared. */
const inkOf = (text: string) => text.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Z}\s]/gu, '');

const lead: LeadSnapshot = {
  status: 'assigned',
  round: 1,
  moves: 0,
  agentId: null,
  agentSlug: 'sara',
  poolName: 'Weekend',
  isPersonal: false,
  followUpDueAtMs: null,
  mergeWindowEndsAtMs: null,
  isResponded: false,
  source: null,
  funnel: 'Main Sales',
  oauthClientId: 'shop',
  clientLabel: 'shop',
  needsReview: false,
  rulesetVersion: 1,
  reasons: ['Rule'],
  deliveries: [],
};
const failed: DeliverySnapshot = {
  eventId: 'evt_1',
  endpointId: 'e-1',
  eventType: 'lead.created',
  status: 'failed',
  attempts: 8,
  generation: 0,
  failureReason: 'It answered 500.',
};

/** Where a name or an error from outside stands in a lead's page. */
const places: [string, (name: string) => string][] = [
  ['a reason', (name) => describeLead({ ...lead, reasons: [name] }, [])],
  [
    'a rule in a reason',
    (name) => describeLead({ ...lead, reasons: [`Rule '${name}' chose it.`] }, []),
  ],
  ['a pool', (name) => describeLead({ ...lead, status: 'pool', poolName: name }, [])],
  ['an agent', (name) => describeLead({ ...lead, agentSlug: name }, [])],
  ['a client', (name) => describeLead({ ...lead, clientLabel: name }, [failed])],
  ['a failure', (name) => describeLead(lead, [{ ...failed, failureReason: name }])],
  ['a list', (name) => formatList('List', [escapeMarkdown(name)])],
];

describe('data in the Markdown of a workflow’s page', () => {
  test.each(places)('is text and nothing else: %s', (_place, pageWith) => {
    const plain = shapeOf(parse(pageWith('plain')));
    for (const name of names) {
      const page = parse(pageWith(name));
      expect({ name, shape: shapeOf(page) }).toEqual({ name, shape: plain });
      expect(inkOf(textOf(page))).toContain(inkOf(name));
    }
  });

  test('stays as it is where it holds nothing of Markdown', () => {
    for (const name of ["Rule 'Sales' chose it.", 'فيلا – دبي (3.5%)', '👨‍👩‍👧 a-b: c/d, +1!'])
      expect(escapeMarkdown(name)).toBe(name);
  });
});
