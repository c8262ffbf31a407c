import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { newFolder } from '../../support/folder.ts';
import { runProgram } from '../../support/program.ts';

/** The code of docs/integration.md, run as a reader would run it. */
let api: TestApi;
let folder: string;
let guide: string;
beforeAll(async () => {
  api = await startTestApi();
  folder = newFolder();
  const file = fileURLToPath(new URL('../../../docs/integration.md', import.meta.url));
  guide = await readFile(file, 'utf8');
});
afterAll(async () => {
  await api.stop();
});

function blockIn(language: string): string {
  const blocks = [...guide.matchAll(/```(\w+)\n([\s\S]*?)```/g)].filter(
    ([, one]) => one === language,
  );
  expect(blocks).toHaveLength(1);
  return blocks[0]?.[2] ?? '';
}

const WEBHOOK = {
  id: 'evt_1',
  body: '{"type":"lead.created"}',
  secret: `whsec_${'c2VjcmV0'.repeat(4)}`,
};

function webhookFacts(): { headers: Record<string, string>; body: string; secret: string } {
  const at = new Date();
  const signature = new Webhook(WEBHOOK.secret).sign(WEBHOOK.id, at, WEBHOOK.body);
  const headers = {
    'webhook-id': WEBHOOK.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,b3RoZXI= ${signature}`,
  };
  return { headers, body: WEBHOOK.body, secret: WEBHOOK.secret };
}

async function run(command: string, fileName: string, code: string): Promise<string> {
  const file = path.join(folder, fileName);
  await writeFile(file, code);
  const env = {
    PATH: process.env.PATH, // eslint-disable-line no-restricted-properties -- to find the programs
    BASE_URL: api.url,
    CLIENT_ID: api.client.clientId,
    CLIENT_SECRET: api.client.clientSecret,
  };
  const ran = await runProgram(command, [file], { env });
  if (ran.code !== 0) throw new Error(`${ran.stdout}\n${ran.stderr}`);
  return ran.stdout;
}

describe('the integration guide', () => {
  test('its curl commands make a lead', async () => {
    const said = await run('bash', 'first.sh', `set -eu\n${blockIn('bash')}`);
    expect(JSON.parse(said)).toMatchObject({ status: 'pending', agent: null });
  });

  test('its TypeScript makes a lead and knows our webhooks', async () => {
    const { headers, body, secret } = webhookFacts();
    const check = `
      const given = ${JSON.stringify([headers, body, secret])} as [Record<string, string>, string, string];
      console.log(isFromLeadService(...given), isFromLeadService(given[0], 'x', given[2]));`;
    const said = await run(process.execPath, 'lead.mts', `${blockIn('ts')}${check}`);
    expect(said).toMatch(/^created [\w-]{36}/);
    expect(said).toContain(`status: 'pending'`);
    expect(said.trim().split('\n').at(-1)).toBe('true false');
  });

  test('its Python makes a lead and knows our webhooks', async () => {
    const { headers, body, secret } = webhookFacts();
    const check = `
headers, secret = json.loads('''${JSON.stringify(headers)}'''), '${secret}'
print(is_from_lead_service(headers, b'${body}', secret), is_from_lead_service(headers, b'x', secret))`;
    const said = await run('python3', 'lead.py', `${blockIn('python')}${check}`);
    expect(said).toMatch(/^created [\w-]{36}/);
    expect(said.trim().split('\n').at(-1)).toBe('True False');
  });
});
