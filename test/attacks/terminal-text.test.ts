import process from 'node:process';
import { loadCommands } from '../../cli/commands.ts';
import { oneLine } from '../../cli/text.ts';
import { leadctlFor } from '../cli/leadctl.ts';
import { startTestApi } from '../support/api.ts';
import { runProgram } from '../support/program.ts';
import { activateRules, makeAgent, makePool, makeSource, makeTeam } from '../support/routing.ts';
import { leadActivities } from '../support/worker.ts';

/** What would forge a line, move the cursor, hide text or turn its direction. */
const HOSTILE =
  'x\nFORGED\r\nFORGED\u2028FORGED\u2029FORGED\u0085FORGED\u001b[2J\u001b]0;t\u0007\u009b2J\b\t\u202egnp\u2066y\u2069\u200f\u200e\u061c\u200b\ufeff\u{e0041}z';
const SHOWN =
  'x\\nFORGED\\r\\nFORGED\\u2028FORGED\\u2029FORGED\\u0085FORGED\\u001b[2J\\u001b]0;t\\u0007\\u009b2J\\u0008\\t\\u202egnp\\u2066y\\u2069\\u200f\\u200e\\u061c\\u200b\\ufeff\\u{e0041}z';

/** Nothing invisible but leadctl's own line ends, and no line that data began. */
function expectHarmless(text: string): void {
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text).not.toMatch(/^\s*FORGED/m);
}

const api = await startTestApi();
const { database } = api;
const leadctl = leadctlFor(await loadCommands(), {
  DATABASE_URL: api.config.database.url,
  LEADCTL_AUTHOR: HOSTILE,
});
const agent = await makeAgent(database, { name: HOSTILE, slug: 'sara', languages: ['ar'] });
const [source, portal] = [
  await makeSource(database, 'Website'),
  await makeSource(database, 'Portal', true),
];
const teamId = await makeTeam(database, [agent]);
const poolId = await makePool(database, HOSTILE);
await activateRules(database, [
  {
    name: HOSTILE,
    when: [[{ field: 'source', op: 'in', values: [source] }]],
    target: { kind: 'team', teamId },
  },
  {
    name: `${HOSTILE} pool`,
    when: [[{ field: 'source', op: 'in', values: [portal] }]],
    target: { kind: 'pool', poolId },
  },
]);
const client = await api.addClient({ name: HOSTILE });
const { clientId } = client;
await leadctl('webhook', 'add', '--client', clientId, '--url', 'https://shop.example/hooks');
const create = async (body: object) => {
  const { id } = await api.create(body, { client });
  await leadActivities(api).routeLead({ leadId: id });
  return id as string;
};
const leadId = await create({
  leadEmails: ['mona@person.example', HOSTILE],
  leadFirstName: HOSTILE,
  leadCompanyName: HOSTILE,
  initialInquiry: HOSTILE,
  source: 'Website',
  integrationRef: HOSTILE,
  distributionType: HOSTILE.slice(0, 60),
  funnel: HOSTILE,
  quiz: { quizKey: HOSTILE, answers: [{ questionKey: HOSTILE, value: 'about 03/04/2026' }] },
  comments: [{ text: HOSTILE, author: HOSTILE, date: '2026-01-01T00:00:00Z' }],
});
const poolLead = await create({ leadEmails: ['omar@person.example'], source: 'Portal' });
await database.query(`update list_entries set name = $1 where name = 'Website'`, [HOSTILE]);
await database.query(
  `update webhook_deliveries set status = 'failed', failure_reason = $1, finished_at = now()`,
  [HOSTILE],
);
await database.query(
  `insert into webhook_attempts (event_id, endpoint_id, at, status_code, latency_ms, response_head)
   select event_id, endpoint_id, now(), 500, 1, $1 from webhook_deliveries`,
  [HOSTILE],
);
afterAll(() => api.stop());

describe('what came from outside is one line, its invisible characters shown', () => {
  const commands: [string, () => string[]][] = [
    ['lead show', () => ['lead', 'show', leadId]],
    ['lead show --personal', () => ['lead', 'show', leadId, '--personal']],
    ['lead explain', () => ['lead', 'explain', leadId]],
    ['lead explain of a pool lead', () => ['lead', 'explain', poolLead]],
    ['lead list', () => ['lead', 'list', '--status', 'pool']],
    ['rules show', () => ['rules', 'show']],
    ['agent list', () => ['agent', 'list']],
    ['agent pause', () => ['agent', 'pause', agent.email]],
    ['client list', () => ['client', 'list']],
    ['client deactivate', () => ['client', 'deactivate', clientId, '--yes']],
    ['token revoke', () => ['token', 'revoke', clientId, '--yes']],
    ['webhook deliveries', () => ['webhook', 'deliveries']],
  ];

  test.each(commands)('%s', async (_what, words) => {
    const { text } = await leadctl(...words());
    expectHarmless(text);
    expect(text).toContain(SHOWN.slice(0, 10)); // of a cell that is cut
  });

  test('webhook list, with the reason of who switched an endpoint off', async () => {
    const [{ endpointId }] = (await leadctl('webhook', 'list', '--json')).json;
    await leadctl('webhook', 'disable', endpointId, '--yes');
    const { text } = await leadctl('webhook', 'list');
    expectHarmless(text);
    expect(text).toContain(SHOWN.slice(0, 40));
  });

  test('in whole where it stands alone', async () => {
    const { text } = await leadctl('lead', 'show', leadId);
    expect(text).toMatch(/^integrationRef +x\\nFORGED/m);
    expect(text).toContain(SHOWN);
  });

  test('and --json has the very value', async () => {
    const { json } = await leadctl('lead', 'show', leadId, '--json');
    expect(json.routing.integrationRef).toBe(HOSTILE);
    expect((await leadctl('lead', 'explain', leadId, '--json')).json.names).toMatchObject(
      Object.fromEntries([[json.holder.id, HOSTILE]]),
    );
  });

  test('but Arabic, Persian joiners and emoji stay as they are', () => {
    for (const text of [
      'فيلا في دبي',
      'می\u200cخواهم',
      '👩\u200d👧',
      '\u0600\u0661',
      'İzmir — “x”',
    ])
      expect(oneLine(text)).toBe(text);
  });
});

describe('errors are as harmless, on standard error', () => {
  const failing: [string, string[], RegExp][] = [
    ['an unknown client', ['client', 'quota', `${HOSTILE}?`], /^Client x\\nFORGED/],
    ['an unknown lead', ['lead', 'show', `${HOSTILE}?`], /^Lead not found/],
    ['an unknown command', [HOSTILE], /^error: unknown command 'x\\nFORGED/],
    ['an unknown option', ['lead', 'list', `--${HOSTILE}`], /^error: unknown option '--x\\nFORGED/],
    [
      'a choice',
      ['lead', 'list', '--status', HOSTILE],
      /argument 'x\\nFORGED.*Allowed choices are/,
    ],
    ['an age', ['rules', 'check', '--since', HOSTILE], /'x\\nFORGED.*This is no time/],
    [
      'an address',
      ['webhook', 'add', '--client', `${HOSTILE}?`, '--url', 'https://a.example'],
      /x\\nFORGED/,
    ],
    [
      'an event',
      ['webhook', 'add', '--client', 'x', '--url', 'https://a.example', '--events', HOSTILE],
      /^Event x\\nFORGED/,
    ],
    ['a file', ['import', `/nowhere/${HOSTILE}`], /^\/nowhere\/x\\nFORGED/],
    ['a forged suggestion', ['x\n(Did you mean FORGED?)'], /^error: unknown command 'x\\n\(Did/],
  ];

  test.each(failing)('%s', async (_what, words, expected) => {
    const env = {
      // eslint-disable-next-line no-restricted-properties -- the child needs PATH and HOME
      ...process.env,
      DATABASE_URL: api.config.database.url,
      SECRETS_KEY: '11'.repeat(32),
    };
    const command = ['dev/launch.mjs', 'cli/main.ts', ...words];
    const { code, stdout, stderr } = await runProgram(process.execPath, command, { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expectHarmless(stderr);
    expect(stderr).toMatch(expected);
    expect(stderr.endsWith('\n')).toBe(true);
  });
});
