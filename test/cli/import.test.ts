import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { readDatasetFile } from '../../cli/dataset/read-file.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { OperatorError } from '../../cli/operator.ts';
import { lossLines } from '../../cli/views/import.ts';
import type { SectionName } from '../../store/dataset/record-ids.ts';
import { sampleDataset } from '../support/dataset.ts';
import { newFolder } from '../support/folder.ts';
import { runProgram, runWithoutSpace, type Ended } from '../support/program.ts';
import { openDatabase } from '../store/catalogue/open.ts';
import { datasetFile } from './leadctl.ts';

const open = await openDatabase();
const folder = newFolder();
afterAll(() => open.close());

const SCRIPT = 'cli/main.ts';

const environment = () => ({
  DATABASE_URL: open.url,
  SECRETS_KEY: '11'.repeat(32),
  LEADCTL_AUTHOR: 'noor',
});

/** The command as an operator runs it. */
function leadctl(...words: string[]): Promise<Ended> {
  return runProgram(process.execPath, [SCRIPT, ...words], { env: environment() });
}

const importing = async (dataset: object, ...words: string[]) =>
  leadctl('import', await datasetFile(dataset), ...words);

async function file(name: string, content: string): Promise<string> {
  const at = path.join(folder, name);
  await writeFile(at, content);
  return at;
}

test('import, export, and import of the export', async () => {
  const dataset = await datasetFile(sampleDataset());
  const first = await leadctl('import', dataset, '--json');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(first.stdout)).toMatchObject({ developers: { created: 2, unchanged: 0 } });
  const [ruleset] = await open.database.query(
    `select author from routing_rulesets order by version desc limit 1`,
  );
  expect(ruleset?.author).toBe('noor');
  const copy = path.join(folder, 'copy.json');
  expect(await leadctl('export', copy)).toMatchObject({ code: 0 });
  expect((await leadctl('export')).stdout).toBe(await readFile(copy, 'utf8'));
  const second = await leadctl('import', copy, '--json');
  for (const counts of Object.values(JSON.parse(second.stdout) as Record<string, object>))
    expect(counts).toMatchObject({ created: 0, updated: 0 });
});

test('hours that are likely a mistake give a warning', async () => {
  const agent = { email: 'night@agency.example', name: 'Night N' };
  const importHours = (workingHours: object) =>
    importing({ agents: [{ ...agent, workingHours }] }, '--json', '--dry-run');
  const { code, stdout, stderr } = await importHours({
    'Mon–Thu': '20:00-08:00',
    'sat & sun': '09:00-09:00',
  });
  expect([code, stderr]).toEqual([
    0,
    `Warning: 20:00-08:00 is through the night, to 08:00 of the next day: night@agency.example.
Warning: 09:00-09:00 is through the night, to 09:00 of the next day: night@agency.example.
`,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    warnings: [{ agents: ['night@agency.example'] }, { agents: ['night@agency.example'] }],
  });
  expect(await importHours({ fri: '20:00-02:00' })).toMatchObject({ code: 0, stderr: '' });
});

test('a competitor’s domain is read without www, and one of free email gives a warning', async () => {
  const competitorDomains = ['Gmail.com', 'www.rival.example'];
  const options = ['--json', '--dry-run'];
  const { code, stdout, stderr } = await importing({ competitorDomains }, ...options);
  expect([code, stderr]).toEqual([
    0,
    'Warning: Customers use these email domains too: gmail.com.\n',
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ warnings: [{ domains: ['gmail.com'] }] });
  expect(stdout).not.toContain('www');
});

test('every error is a line, or JSON, and the exit code is 1', async () => {
  const invalid = { campaigns: [{ name: 1 }], teams: [{ name: 'T', x: 1 }] };
  const forPeople = await importing(invalid);
  expect(forPeople).toMatchObject({ code: 1, stdout: '' });
  expect(forPeople.stderr.split('\n')).toEqual([
    'campaigns[0].name: must be a text',
    'teams[0].x: is not known',
    'Nothing was imported: 2 errors.',
    '',
  ]);
  const forPrograms = await importing(invalid, '--json');
  expect(forPrograms.code).toBe(1);
  expect(JSON.parse(forPrograms.stdout)).toMatchObject({
    faults: [{ place: 'campaigns[0].name' }, { place: 'teams[0].x', message: 'is not known' }],
  });
});

test('the JSON Schema is printed without a connection, and is that of docs/', async () => {
  const words = [SCRIPT, 'import', '--schema'];
  const { code, stdout } = await runProgram(process.execPath, words, { env: {} });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(
    JSON.parse(await readFile('docs/dataset.schema.json', 'utf8')),
  );
});

test('a spreadsheet is exported, and its errors are placed in the file', async () => {
  const template = await runProgram(
    process.execPath,
    [SCRIPT, 'export', '--section', 'teams', '--template'],
    { env: {} },
  );
  expect(template).toEqual({ code: 0, stdout: '\uFEFFname,members,id\n', stderr: '' });
  const copy = path.join(folder, 'agents.csv');
  expect(await leadctl('export', copy, '--section', 'teams', '--template')).toMatchObject({
    code: 0,
  });
  expect(await readFile(copy, 'utf8')).toBe(template.stdout);
  expect(await leadctl('export', copy, '--section', 'agents', '--csv')).toMatchObject({
    code: 0,
    stdout: `2 records in ${copy}.\n`,
  });
  const csv = await readFile(copy, 'utf8');
  expect(csv).toContain(`,"mon-thu 09:00-13:00, 16:00-20:00, fri 20:00-02:00",10,`);
  expect(csv).toContain(`,'+971500000001,`);
  await writeFile(copy, csv.replace(',10,', ',ten,'));
  expect(await leadctl('import', copy, '--section', 'agents')).toMatchObject({
    code: 1,
    stderr: 'line 3, column dailyCap: must be a number\nNothing was imported: 1 error.\n',
  });
  await writeFile(copy, csv.replace(",'+971500000001,", ',9.715E+11,'));
  expect((await leadctl('import', copy, '--section', 'agents')).stderr).toContain(
    'column phone: The spreadsheet shortened it: format the column as text',
  );
  expect(await leadctl('export', '--csv')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a spreadsheet has one section: name it by --section'),
  });
  const one = JSON.parse((await leadctl('export', '--section', 'pools')).stdout) as object;
  expect(one).toEqual({ pools: [{ name: 'Weekend Pool', enabled: true }] });
});

test('an import names the absences and holidays that it would remove, and asks', async () => {
  const csv = await file('holidays.csv', 'name;from;to\nEid;2027-03-10;2027-03-12\n');
  const loss = '1 holiday would be removed: National Day 2026-12-02 2026-12-03.';
  const words = ['import', csv, '--section', 'holidays'];
  const refused = await leadctl(...words);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `${loss} This cannot be undone: say --yes to do it without a question.\n`,
  ]);
  expect((await leadctl(...words, '--dry-run')).stdout).toContain(`${loss}\n`);
  expect(await leadctl(...words, '--yes')).toMatchObject({ code: 0 });
});

test('rules that a file leaves out are switched off with --yes only, and can be taken back', async () => {
  const one = await datasetFile({ rules: sampleDataset().rules.slice(1) });
  const loss = "Rule 'Marina Arabic speakers' is not in the new rules and is switched off.";
  expect(await leadctl('import', one, '--json')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `${loss} leadctl rules activate takes rules back: say --yes to do it without a question.\n`,
  });
  const lint = await leadctl('rules', 'lint', one, '--strict', '--json');
  expect([lint.code, JSON.parse(lint.stdout)]).toMatchObject([
    1,
    { warnings: [{ rule: 'Marina Arabic speakers', flaw: { kind: 'missing' } }] },
  ]);
  expect((await leadctl('rules', 'diff', one)).stdout).toBe(
    `  Marina Arabic speakers: removed\n${loss}\n`,
  );
  const done = JSON.parse((await leadctl('import', one, '--yes', '--json')).stdout);
  const back = String(done.undo).split(' ').slice(1);
  expect(await leadctl(...back)).toMatchObject({ code: 0, stderr: '' });
  expect((await leadctl('import', one, '--dry-run')).stdout).toContain(loss);
});

test('a sub-source that rules name is not left out without a question', async () => {
  const { sources, rules } = sampleDataset();
  const source = { ...sources[0], name: 'Fair', subSources: ['Stand', 'Talk'] };
  const when = [[{ field: 'subSource', op: 'in', values: ['Fair/Stand'] }]];
  const named = { ...rules[0], name: 'Of the stand', claims: [], order: 9000, when };
  const taken = { code: 0, stderr: '' };
  const before = { sources: [source], rules: [...rules, named] };
  expect(await importing(before, '--yes')).toMatchObject(taken);
  const without = { sources: [{ ...source, subSources: ['Talk'] }] };
  const loss = `Active rules name the sub-source 'Fair/Stand', which is switched off, so no lead has it: Of the stand.`;
  expect(await importing(without)).toMatchObject({
    code: 1,
    stderr: `${loss} A later import can take this back: say --yes to do it without a question.\n`,
  });
  const unnamed = { sources: [{ ...source, subSources: ['Stand'] }] };
  expect(await importing(unnamed)).toMatchObject(taken);
  expect(await importing({ rules }, '--yes')).toMatchObject({ code: 0 });
  expect((await leadctl('rules', 'versions')).stdout).toContain('No version is lost');
});

test('what --disable-missing would switch off is named, with the rules that need it, and asked for', async () => {
  const { agents, pools, rules } = sampleDataset();
  const [kept, missing] = agents;
  const off = (dataset: object, ...words: string[]) =>
    importing(dataset, '--disable-missing', ...words);
  const one = { agents: [kept], pools: [] };
  const loss = `agents: 1 that the file leaves out would be switched off: ${missing?.email}.`;
  const refused = await off(one);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(loss);
  expect(refused.stderr).toMatch(
    new RegExp(`pools: ${pools.length} that the file leaves out .* Active rules need them: `),
  );
  expect(refused.stderr).toContain('say --yes to do it without a question');
  expect((await off(one, '--dry-run')).stdout).toContain(loss);
  const inactive = { agents: [kept, { ...missing, active: false }] };
  expect((await off(inactive, '--dry-run')).stdout).not.toContain('leaves out');
  expect(await off(one, '--yes')).toMatchObject({ code: 0 });
  expect(await importing({ agents, pools, rules }, '--yes')).toMatchObject({ code: 0 });
});

test('a dataset without a section says that nothing was imported', async () => {
  const { code, stdout } = await importing({});
  expect([code, stdout]).toEqual([0, 'The file has no section: nothing was imported.\n']);
});

test('several records of one kind that an import would remove are named in the plural', () => {
  const none = { rules: [], emptiedTeams: [], subSources: [], missing: [] };
  const losses = { ...none, absences: ['A', 'B'], datedHours: ['C', 'D'], holidays: ['E', 'F'] };
  expect(lossLines(losses)).toEqual([
    '2 periods of dated hours would be removed: C, D.',
    '2 absences would be removed: A, B.',
    '2 holidays would be removed: E, F.',
  ]);
});

test('Ctrl-C ends an import with 130, and says that nothing was imported', async () => {
  const dataset = await datasetFile({ campaigns: [{ name: 'Stopped' }] });
  let stderr = '';
  await open.database.transaction(async (sql) => {
    await sql.query(`select pg_advisory_xact_lock(hashtext('leadctl import'))`);
    const child = spawn(process.execPath, [SCRIPT, 'import', dataset], { env: environment() });
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await waitUntil(async () => expect(stderr).toContain('Another import is running'), {
      what: 'The import that waits',
    });
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
  });
  expect(stderr).toMatch(/\nStopped; nothing was imported\.\n$/);
  expect((await leadctl('export', '--section', 'campaigns')).stdout).not.toContain('Stopped');
});

test('an export that ends half-way leaves the file that was there', async () => {
  const copies = newFolder();
  const copy = path.join(copies, 'copy.json');
  await writeFile(copy, 'an earlier one');
  const words = [SCRIPT, 'export', copy];
  const { code, stderr } = await runWithoutSpace(process.execPath, words, { env: environment() });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `${copy} cannot be written: file too large.\n`,
  });
  expect(await readFile(copy, 'utf8')).toBe('an earlier one');
  expect(await readdir(copies)).toEqual(['copy.json']);
});

test.each<[string, string, SectionName | undefined, RegExp]>([
  ['no such file', '/no/such/file.json', undefined, /cannot be read: no such file or directory\.$/],
  ['standard input', '-', 'agents', /^Standard input is not read: name a file\.$/],
  ['not JSON', 'broken.json', undefined, /broken\.json is not JSON: /],
  ['not CSV', 'ragged.csv', 'campaigns', /ragged\.csv is not CSV: /],
  ['CSV without its section', 'ragged.csv', undefined, /\. A spreadsheet needs --section$/],
  ['not UTF-8', 'latin1.json', undefined, /cannot be read: it is not UTF-8/],
])('a file that is %s is an error', async (_what, name, section, message) => {
  await file('broken.json', '{"campaigns": [');
  await file('ragged.csv', 'name,enabled\n"a\n');
  await writeFile(
    path.join(folder, 'latin1.json'),
    Buffer.from('{"campaigns":[{"name":"Caf\xe9"}]}', 'latin1'),
  );
  const reading = readDatasetFile(name === '-' ? name : path.resolve(folder, name), section);
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toBeInstanceOf(OperatorError);
});

test.each([
  ['{"campaigns": [{"name": "A"},\n {"name": }]}', 'line 2 column 11: Unexpected token'],
  ['{"campaigns": [{"name": "A"}\n', /\(line 2 column 1\)/],
  ['[tru]', 'line 1 column 5: Unexpected token'],
])('a syntax error of JSON names its line and column: %j', async (text, message) => {
  await expect(readDatasetFile(await file('syntax.json', text))).rejects.toThrow(message);
});

test('a section that is there twice is an error', async () => {
  const text = '{"pools": [{"name": "pools", "x": {"pools": []}}], "campaigns": [], "pools": []}';
  expect(await readDatasetFile(await file('twice.json', text))).toMatchObject({
    issues: [{ place: 'pools', message: 'is there already' }],
  });
});
