import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitUntil } from '../../../dev/wait-until.ts';
import { newFolder } from '../../support/folder.ts';
import { startIntake, type Intake } from '../../support/intake.ts';

/** The programs of docs/integration-webhooks.md, run as a reader would run them, with a shorter pause. */
let api: Intake;
let guide: string;
beforeAll(async () => {
  api = await startIntake();
  const file = fileURLToPath(new URL('../../../docs/integration-webhooks.md', import.meta.url));
  guide = await readFile(file, 'utf8');
});
afterAll(() => api.stop());

function program(file: string): string {
  const [, code] = new RegExp(`\`\`\`\\w+ ${file}\\n(.*?)\\n\`\`\``, 's').exec(guide) ?? [];
  if (code === undefined) throw new Error(`The guide has no ${file}.`);
  const quick = code
    .replace(/(?<=PAUSE_SECONDS = )60/, '0.1')
    .replace(/(?<=PAUSE_MS = )60_000/, '100');
  expect(quick).not.toBe(code);
  return quick;
}

test.each([
  ['events.py', 'python3'],
  ['events.ts', process.execPath],
])('%s handles each event, and goes on where it was killed', async (file, command) => {
  const client = await api.addClient();
  const cwd = newFolder();
  await writeFile(path.join(cwd, file), program(file));
  const env = {
    PATH: process.env.PATH, // eslint-disable-line no-restricted-properties -- to find the programs
    BASE_URL: api.url,
    CLIENT_ID: client.clientId,
    CLIENT_SECRET: client.clientSecret,
  };

  /** Runs it until it has handled a lead; returns the leads that it handled. */
  async function runUntil(leadId: string): Promise<string[]> {
    const child = spawn(command, [file], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    await waitUntil(
      async () => {
        const cursor = await readFile(path.join(cwd, 'lead-events.cursor'), 'utf8');
        expect(said).toMatch(new RegExp(`^${cursor} lead.created ${leadId}$`, 'm'));
      },
      { what: `${leadId} handled by ${file}` },
    );
    child.kill('SIGKILL');
    await ended;
    return said
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[2] ?? line);
  }

  const leads = [];
  for (let count = 0; count < 3; count += 1) leads.push((await api.create({}, { client })).id);
  expect(await runUntil(leads[2])).toEqual(leads);
  const later = (await api.create({}, { client })).id;
  expect(await runUntil(later)).toEqual([later]);
});
