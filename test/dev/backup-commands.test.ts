import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';

const page = readFileSync(path.resolve('docs/operations.md'), 'utf8');
const [, section = ''] = page.split('**The stack of `npm start`.**');
const [backup = '', restore = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(
  ([, script]) => script,
);

const FIRST = '2026-03-02-080000'; // that of the page
const NEXT_DAY = '2026-03-03-080000';

let folder: string;
let data: string;

/** The folder as `DATA_DIR` may lie: behind a link, and with a link to its Postgres. */
beforeEach(() => {
  folder = newFolder();
  data = path.join(folder, 'disk', 'data');
  const postgres = path.join(folder, 'fast-disk', 'postgres');
  const programs = path.join(folder, 'programs');
  for (const made of [data, postgres, programs]) mkdirSync(made, { recursive: true });
  symlinkSync(data, path.join(folder, '.data'));
  symlinkSync(postgres, path.join(data, 'postgres'));
  for (const [name, script] of [
    ['date', 'echo "$NOW"'],
    ['npm', 'echo "npm $*"'],
  ] as const) {
    const file = path.join(programs, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
  store('first day');
});

const store = (text: string) => writeFileSync(path.join(data, 'postgres', 'table'), text);
const stored = (copy: string) => readFileSync(path.join(folder, copy, 'postgres', 'table'), 'utf8');

function run(script: string, now: string) {
  // eslint-disable-next-line no-restricted-properties -- where to find mkdir and cp
  const found = process.env['PATH'];
  const env = { PATH: `${path.join(folder, 'programs')}:${found}`, NOW: now };
  return runProgram('sh', ['-c', script], { env, cwd: folder });
}

describe('the commands of docs/operations.md that copy the folder of npm start', () => {
  test('make a whole copy each day', async () => {
    expect(await run(backup, FIRST)).toMatchObject({ code: 0, stderr: '' });
    store('next day');
    expect(await run(backup, NEXT_DAY)).toMatchObject({ code: 0, stderr: '' });
    expect(stored(`lead-intake-backup-${FIRST}`)).toBe('first day');
    expect(stored(`lead-intake-backup-${NEXT_DAY}`)).toBe('next day');
  });

  test('refuse a folder that exists, and leave it as it is', async () => {
    await run(backup, FIRST);
    store('later');
    expect(await run(backup, FIRST)).toMatchObject({ code: 1, stdout: '' });
    expect(stored(`lead-intake-backup-${FIRST}`)).toBe('first day');
    expect(readdirSync(path.join(folder, `lead-intake-backup-${FIRST}`))).toEqual(['postgres']);
  });

  test('put a copy back, and keep both the backup and what it replaces', async () => {
    await run(backup, FIRST);
    store('later');
    const { code, stdout } = await run(restore, NEXT_DAY);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'npm start\n' });
    expect(stored('.data')).toBe('first day');
    expect(stored(`.data-before-${NEXT_DAY}`)).toBe('later');
    expect(stored(`lead-intake-backup-${FIRST}`)).toBe('first day');
  });
});
