import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../../../dev/wait-until.ts';
import { type TestClient, startIntake } from '../../support/api.ts';
import { startFailingServer } from '../../support/failing-server.ts';
import { newFolder } from '../../support/folder.ts';
import { runProgram } from '../../support/program.ts';

/** The programs of docs/integration-webhooks.md, run as a reader would run them, with a shorter pause. */
const api = await startIntake();
const file = fileURLToPath(new URL('../../../docs/integration-webhooks.md', import.meta.url));
const guide = await readFile(file, 'utf8');
afterAll(() => api.stop());

function program(file: string): string {
  const [, code] = new RegExp(`\`\`\`\\w+ ${file}\\n(.*?)\\n\`\`\``, 's').exec(guide) ?? [];
  if (code === undefined) throw new Error(`The guide has no ${file}.`);
  const quick = code
    .replace(/(?<=PAUSE_SECONDS = )60/, '0.1')
    .replace(/(?<=PAUSE_MS = )60_000/, '100');
  expect(quick).not.toMatch(/ = 60(_000)?\b/);
  return quick;
}

/** With its timeout cut too, for a server that does not answer: any other may be slow. */
function hastyProgram(file: string): string {
  const hasty = program(file)
    .replace(/(?<=TIMEOUT_SECONDS = )30/, '5')
    .replace(/(?<=TIMEOUT_MS = )30_000/, '5000');
  expect(hasty).not.toMatch(/ = 30(_000)?\b/);
  return hasty;
}

const PROGRAMS: [string, string][] = [
  ['events.py', 'python3'],
  ['events.ts', process.execPath],
];

const environment = (url: string, client: TestClient) => ({
  PATH: process.env.PATH, // eslint-disable-line no-restricted-properties -- to find the programs
  BASE_URL: url,
  CLIENT_ID: client.clientId,
  CLIENT_SECRET: client.clientSecret,
});

test.each(PROGRAMS)(
  '%s handles each event, and goes on where it was killed',
  async (file, command) => {
    const client = await api.addClient();
    const cwd = newFolder();
    await writeFile(path.join(cwd, file), program(file));
    const env = environment(api.url, client);

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
  },
);

test.each(PROGRAMS)(
  '%s keeps its token and its cursor while the server fails, and ends on a bad cursor',
  async (file, command) => {
    const front = await startFailingServer(api.url);
    const client = await api.addClient();
    const cwd = newFolder();
    await writeFile(path.join(cwd, file), hastyProgram(file));
    const leadId = (await api.create({}, { client })).id;
    const [token, read] = ['POST /oauth2/token', 'GET /public/events'];
    const headers = { 'Retry-After': '0' };
    front.fail('/oauth2/token', 'hang', { status: 503, body: '<html>', headers });
    front.fail(
      '/public/events',
      'lost',
      { status: 502, body: '<html>A proxy</html>' },
      { status: 200, body: '<html>A page</html>' },
      { status: 429, body: '{}', headers: { 'retry-after': '1' } },
      { status: 401, body: '' },
    );
    const child = runProgram(command, [file], { cwd, env: environment(front.url, client) });
    const cursorFile = path.join(cwd, 'lead-events.cursor');
    await waitUntil(async () => void (await readFile(cursorFile)), { what: 'a saved cursor' });
    const [tokens, reads] = [Array(3).fill(token), Array(5).fill(read)];
    expect(front.requests.slice(0, 10)).toEqual([...tokens, ...reads, token, read]);
    front.fail('/public/events', { status: 400, body: 'no cursor of yours' });
    const { code, stdout, stderr } = await child;
    expect(code).toBe(1);
    expect(stderr).toContain('Not repeated: 400 no cursor of yours');
    expect(stdout).toContain(`lead.created ${leadId}`);
    expect(stdout).toContain('later: 502 <html>A proxy</html>');
    expect(front.requests.filter((one) => one === token)).toHaveLength(4);
    await front.stop();
  },
);
