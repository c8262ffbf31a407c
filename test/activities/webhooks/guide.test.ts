import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { signedHeaders } from '../../../activities/webhooks/sign.ts';
import { formatSecret } from '../../../domain/webhooks/secret.ts';
import { newFolder } from '../../support/folder.ts';
import { runProgram } from '../../support/program.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const secret = formatSecret(Buffer.alloc(32, 1));
const other = formatSecret(Buffer.alloc(32, 2));
const body = JSON.stringify({ type: 'lead.created', data: { note: 'فيلا "في" دبي', sequence: 1 } });

/** What makes a program of a snippet: it reads a call and prints the type of the event, or dies. */
const programs = [
  {
    file: 'verify.ts',
    refusal: 'WebhookVerificationError',
    command: process.execPath,
    ending: `const { secret, headers, body } = JSON.parse(await new Response(process.stdin as never).text());
      console.log((verify(secret, headers, body) as { type: string }).type);`,
  },
  {
    file: 'verify.py',
    refusal: 'ValueError',
    command: 'python3',
    ending: `import sys
call = json.load(sys.stdin)
print(verify(call["secret"], call["headers"], call["body"].encode())["type"])`,
  },
  {
    file: 'verify.php',
    refusal: 'RuntimeException',
    command: process.execPath,
    args: [fileURLToPath(new URL('run-php.mjs', import.meta.url))],
    ending: `$call = json_decode(file_get_contents('php://input'), true);
      echo verify($call['secret'], $call['headers'], $call['body'])['type'], "\\n";`,
  },
];

const folder = newFolder();
await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
const guide = await readFile(path.join(root, 'docs/integration-webhooks.md'), 'utf8');

function snippet(file: string): string {
  const fence = '```';
  const [, code] = new RegExp(`${fence}\\w+ ${file}\\n(.*?)\\n${fence}`, 's').exec(guide) ?? [];
  if (code === undefined) throw new Error(`The guide has no ${file}.`);
  return code;
}

const signed = (secrets: string[], at = new Date()) => signedHeaders('evt_1', body, secrets, at);
const ofService = () => signed([secret]);

type Call = [what: string, headers: () => Record<string, string>, isGood: boolean, sent?: string];
const calls: Call[] = [
  ['a call of the service', ofService, true],
  ['a call during rotation', () => signed([other, secret]), true],
  ['a call whose headers a server has capitalised', () => capitalised(ofService()), true],
  ['no headers at all', () => ({}), false],
  ['another secret', () => signed([other]), false],
  ['another body', ofService, false, '{}'],
  ['another id', () => ({ ...ofService(), 'webhook-id': 'evt_2' }), false],
  ['an old call', () => signed([secret], new Date(Date.now() - 400_000)), false],
  ...[
    ['webhook-timestamp', '²'],
    ['webhook-timestamp', '9'.repeat(5000)],
    ['webhook-signature', 'v1,é'],
  ].map(([name = '', value = '']): Call => [
    `an odd ${name}: ${value.slice(0, 10)}`,
    () => ({ ...ofService(), [name]: value }),
    false,
  ]),
];

function capitalised(headers: Record<string, string>): Record<string, string> {
  const capitals = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [capitals(name), text]));
}

for (const { file, command, args = [], ending, refusal } of programs) {
  const hasInterpreter = (await runProgram(command, ['--version'])).code === 0;
  describe(`the snippet ${file} of the guide`, () => {
    (hasInterpreter ? test : test.skip).each(calls)(
      '%s',
      async (_, headers, isGood, sent = body) => {
        const program = path.join(folder, file);
        await writeFile(program, `${snippet(file)}\n${ending}\n`);
        const run = await runProgram(command, [...args, program], {
          input: JSON.stringify({ secret, headers: headers(), body: sent }),
        });
        expect(run.code === 0).toBe(isGood);
        expect(run.stdout.trim()).toBe(isGood ? 'lead.created' : '');
        expect(run.stderr).toMatch(isGood ? '' : refusal);
      },
    );
  });
}

test('the retry table of the guide is the schedule', async () => {
  const { parseConfig: configFrom } = await import('../../../platform/config.ts');
  const { webhooks } = configFrom({ DATABASE_URL: 'postgres://x', SECRETS_KEY: '11'.repeat(32) });
  const unitMs: Record<string, number> = { second: 1000, minute: 60_000, hour: 3_600_000 };
  const documented = [...guide.matchAll(/^\| \d +\| (\d+) (second|minute|hour)s /gm)].map(
    ([, count, unit = '']) => Number(count) * (unitMs[unit] ?? 0),
  );
  expect(documented).toEqual(webhooks.retryDelaysMs);
});

test('the guide names the user agent', () => {
  expect(guide).toContain(`\`${ofService()['user-agent']}\``);
});
