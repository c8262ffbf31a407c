import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { importCommand } from '../../cli/import.ts';
import { rulesCommands } from '../../cli/rules.ts';
import { startTestApi } from '../support/api.ts';
import { newFolder } from '../support/folder.ts';
import { leadctlFor } from './leadctl.ts';
import { leadActivities } from '../support/worker.ts';

const PEOPLE = {
  locations: [
    { key: 'dubai', name: 'Dubai', level: 'emirate' },
    { key: 'dubai/marina', name: 'Dubai Marina', level: 'community', parent: 'dubai' },
  ],
  agents: [
    { email: 'sara@agency.example', name: 'Sara', languages: ['ar'], locations: ['dubai'] },
    { email: 'omar@agency.example', name: 'Omar', active: false },
  ],
  teams: [
    { name: 'Marina Sales', members: [{ agent: 'sara@agency.example' }] },
    { name: 'Night', members: [{ agent: 'omar@agency.example' }] },
  ],
  pools: [{ name: 'Weekend Pool' }],
};

const within = (place: string) => ({ field: 'location', op: 'within', values: [place] });
const team = { kind: 'team', name: 'Marina Sales' };
const RULES = [
  { name: 'Dubai', order: 10, when: [[within('dubai')]], target: team },
  { name: 'Rest', order: 90, target: { kind: 'pool', name: 'Weekend Pool' } },
];
const MARINA = { name: 'Marina', order: 20, when: [[within('dubai/marina')]], target: team };
const ENDING = { ...RULES[0], onExhausted: { kind: 'unassigned' } };

async function saved(dataset: object): Promise<string> {
  const file = path.join(folder, `${Math.random()}.json`);
  await writeFile(file, JSON.stringify(dataset));
  return file;
}

const api = await startTestApi();
const folder = newFolder();
const variables = { DATABASE_URL: api.config.database.url };
const leadctl = leadctlFor([importCommand, rulesCommands], variables);

afterAll(() => api.stop());

/** What was printed, where only `--strict` fails. */
async function warningsOf(file: string, ...words: string[]): Promise<string> {
  const strict = leadctl('rules', 'lint', file, '--strict', ...words);
  await expect(strict).rejects.toThrow(/has 1 warning\./);
  return (await leadctl('rules', 'lint', file, ...words)).text;
}

test('rules of a file whose people are not there yet are checked with the people of the file', async () => {
  const { text } = await leadctl('rules', 'lint', await saved({ ...PEOPLE, rules: RULES }));
  expect(text).toBe('2 rules: nothing is wrong.\n');
  const night = { ...RULES[0], target: { kind: 'team', name: 'Night' } };
  const file = await saved({ ...PEOPLE, rules: [night, RULES[1]] });
  expect(await warningsOf(file)).toContain(
    `Rule 'Dubai' (order 10) goes to nobody: of 1 agent none is active with a cap above 0.
  such a lead: location dubai
  0 of 0 leads since`,
  );
});

test('an import shows what is wrong and imports all the same', async () => {
  const file = await saved({ ...PEOPLE, rules: [ENDING, MARINA, RULES[1]] });
  const { text } = await leadctl('import', file);
  expect(text).toMatch(/rules +3/);
  expect(text).toContain(
    `Rule 'Marina' (order 20) is never reached: 'Dubai' before it takes every lead that it matches.`,
  );
  expect((await leadctl('import', file, '--json')).json.lint).toMatchObject({
    warnings: [{ rule: 'Marina', flaw: { kind: 'never_reached', by: ['Dubai'] }, leads: 0 }],
  });
  expect(
    (await leadctl('import', await saved({ ...PEOPLE, rules: RULES }), '--yes', '--json')).json,
  ).not.toHaveProperty('lint');
});

test('a warning counts the past leads that it is about, each once, and names no person', async () => {
  const route = leadActivities(api).routeLead;
  for (const areaOfInterest of ['Dubai Marina', 'Dubai Marina', 'Dubai', undefined]) {
    const body = { leadEmails: [`${Math.random()}@person.example`], areaOfInterest };
    await route({ leadId: (await api.create(body)).id });
  }
  const file = await saved({ rules: [ENDING, MARINA, RULES[1]] });
  const text = await warningsOf(file);
  expect(text).toContain('such a lead: location Dubai > Dubai Marina\n  2 of 4 leads since');
  expect(text).not.toContain('person.example');
  expect(await warningsOf(file, '--since', '2999-01-01')).toContain('0 of 0 leads');
});
