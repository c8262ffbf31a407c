import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../../support/folder.ts';
import { runProgram } from '../../support/program.ts';
import { asOfType, readEvents, toJson, type JsonEvent } from '../../replay/edit-history.ts';
import { tableIn } from './table.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const replay = (...words: string[]) =>
  runProgram(process.execPath, ['dev/replay.ts', ...words], { cwd: root });

const folder = newFolder();

async function write(name: string, json: string): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, json);
}

/** A history of code that scheduled another activity first. */
function ofFormerCode(scenario: string): string {
  const rename = (event: JsonEvent) =>
    JSON.parse(JSON.stringify(event).replaceAll('"routeLead"', '"formerRoute"')) as JsonEvent;
  return toJson(readEvents(scenario).map(rename));
}

describe('npm run replay', () => {
  test('ends with a table, and with 0 where all passed', async () => {
    await write('good/assigned.json', toJson(readEvents('assigned')));
    await write('good/checks/answered.json', toJson(readEvents('dncr-check-answered')));
    await write('good/not-started.json', toJson(readEvents('personal').slice(0, 2)));
    await write('good/notes.txt', 'no history');
    const { code, stdout } = await replay(path.join(folder, 'good'));
    expect(tableIn(stdout)).toEqual([
      ['Type', 'Runs', 'Passed', 'Failed'],
      ['DncrCheck', '1', '1', '0'],
      ['LeadLifecycle', '2', '2', '0'],
      ['all', '3', '3', '0'],
    ]);
    expect(code).toBe(0);
  });

  test('goes on after histories that fail or cannot be read, and ends with 1', async () => {
    const good = toJson(readEvents('dncr-check-answered'));
    await write('mixed/answered.json', good);
    await write('mixed/cut.json', good.slice(0, -20));
    await write('mixed/unknown.json', asOfType('assigned', 'FormerWorkflow'));
    for (const scenario of ['assigned', 'merged-enquiry', 'personal'])
      await write(`mixed/${scenario}.json`, ofFormerCode(scenario));
    const { code, stdout } = await replay(path.join(folder, 'mixed'));
    expect(tableIn(stdout)).toEqual([
      ['Type', 'Runs', 'Passed', 'Failed'],
      ['(unreadable)', '1', '0', '1'],
      ['DncrCheck', '1', '1', '0'],
      ['FormerWorkflow', '1', '0', '1'],
      ['LeadLifecycle', '3', '0', '3'],
      ['all', '6', '1', '5'],
    ]);
    const failures = failuresIn(stdout);
    expect(failures.get('cut.json (unknown type)')).toEqual(['is cut off: its JSON has no end']);
    expect(failures.get('unknown.json (FormerWorkflow, run ID)')).toEqual([
      'the code has no workflow type `FormerWorkflow`',
    ]);
    const [ofLead = []] = [...failures.values()].filter((lines) => lines.length > 1);
    expect(ofLead.slice(0, 2)).toEqual([
      "event 6: activity `formerRoute` ('route') in the history, the code schedules activity `routeLead` ('route')",
      expect.stringMatching(/^at workflows\/lead-lifecycle\.ts:\d+ \(route\)$/),
    ]);
    expect(ofLead.slice(-3)).toEqual([
      '2 more in the same way:',
      expect.stringMatching(/\.json$/),
      expect.stringMatching(/\.json$/),
    ]);
    expect(code).toBe(1);
  });

  test.each([
    [[], 'Name a PATH, or say --live.'],
    [['--live', '.'], 'Name a PATH, or say --live.'],
    [['--sample', '3', '.'], '--query and --sample belong to --live.'],
    [['--live', '--sample', 'many'], 'Expected a whole number of at least 1.'],
    [['--unknown'], "unknown option '--unknown'"],
    [['no-such-folder'], 'no-such-folder cannot be read: no such file or directory.'],
    [['test/dev/replay/planted'], 'There is no history to replay.'],
  ])('says why and fails where nothing is replayed: %j', async (words, text) => {
    const { code, stdout, stderr } = await replay(...words);
    expect(stderr).toContain(text);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});

/** The lines of each failure by its first one, where ID stands for the run's. */
function failuresIn(stdout: string): Map<string, string[]> {
  const blocks = stdout.split('\n\n').filter((block) => block.startsWith('✗'));
  return new Map(
    blocks.map((block) => {
      const [title = '', ...lines] = block.split('\n').map((line) => line.trim());
      return [title.replace(/^✗ .*\//, '').replace(/run [\da-f-]{36}/, 'run ID'), lines];
    }),
  );
}
