import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../../support/folder.ts';
import { runProgram } from '../../support/program.ts';
import { asOfType, readEvents, toJson, type JsonEvent } from '../../replay/edit-history.ts';
import { HEAD, passed, tableIn } from './table.ts';

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
    await write('good/delayed.json', toJson(readEvents('personal').slice(0, 1)));
    await write('good/notes.txt', 'no history');
    const { code, stdout } = await replay(path.join(folder, 'good'));
    expect(tableIn(stdout)).toEqual([HEAD, passed('DncrCheck', 1), passed('LeadLifecycle', 3)]);
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
    const file = (name: string) => path.join(folder, 'mixed', name);
    expect(tableIn(stdout)).toEqual([
      HEAD,
      [
        '-',
        'failed',
        '1',
        '-',
        'is not the JSON of a history, or is cut off',
        '-',
        file('cut.json'),
      ],
      passed('DncrCheck', 1),
      [
        ...['FormerWorkflow', 'failed', '1', '-', '-'],
        expect.stringMatching(/'FormerWorkflow': no such function is exported/),
        file('unknown.json'),
      ],
      [
        ...['LeadLifecycle', 'failed', '3', '6', 'activityTaskScheduled formerRoute'],
        "activity command 'routeLead'",
        expect.stringMatching(/\.json$/),
      ],
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
