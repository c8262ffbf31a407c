import { importCommand } from '../../cli/import.ts';
import { rulesCommands } from '../../cli/rules.ts';
import { datasetFile, startLeadctl } from './leadctl.ts';

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

const { leadctl } = await startLeadctl(importCommand, rulesCommands);

/** What was printed, where only `--strict` fails. */
async function warningsOf(file: string): Promise<string> {
  const strict = leadctl('rules', 'lint', file, '--strict');
  await expect(strict).rejects.toThrow(/has 1 warning\./);
  return (await leadctl('rules', 'lint', file)).text;
}

test('rules of a file whose people are not there yet are checked with the people of the file', async () => {
  const { text } = await leadctl('rules', 'lint', await datasetFile({ ...PEOPLE, rules: RULES }));
  expect(text).toBe('2 rules: nothing is wrong.\n');
  const night = { ...RULES[0], target: { kind: 'team', name: 'Night' } };
  const file = await datasetFile({ ...PEOPLE, rules: [night, RULES[1]] });
  expect(await warningsOf(file)).toBe(
    "Rule 'Dubai' (order 10) goes to nobody: no agent is active with a cap above 0.\n",
  );
});

test('an import shows what is wrong and imports all the same', async () => {
  const file = await datasetFile({ ...PEOPLE, rules: [ENDING, MARINA, RULES[1]] });
  const { text } = await leadctl('import', file);
  expect(text).toMatch(/rules +3/);
  expect(text).toContain(
    `Rule 'Marina' (order 20) is never reached: 'Dubai' before it takes every lead that it matches.`,
  );
  expect((await leadctl('import', file, '--json')).json.lint).toMatchObject({
    warnings: [{ rule: 'Marina', flaw: { kind: 'never_reached', by: ['Dubai'] } }],
  });
  expect(
    (await leadctl('import', await datasetFile({ ...PEOPLE, rules: RULES }), '--yes', '--json'))
      .json,
  ).not.toHaveProperty('lint');
});

test('follow-ups that reassign count agents of the file and of the database', async () => {
  const followUp = { onExpiry: 'reassign' };
  const gates = { availability: 'working_hours' };
  const rules = [{ ...RULES[0], gates, followUp }, RULES[1]];
  expect(await warningsOf(await datasetFile({ rules }))).toBe(
    "Rule 'Dubai' (order 10) reassigns leads without a response, but to no other agent.\n",
  );
  const lina = { email: 'lina@agency.example', name: 'Lina', workingHours: { mon: [] } };
  const members = [{ agent: 'sara@agency.example' }, { agent: lina.email }];
  const two = { agents: [lina], teams: [{ name: 'Marina Sales', members }], rules };
  expect(await warningsOf(await datasetFile(two))).toContain('to no other agent');
  const workingHours = { mon: '09:00-18:00' };
  const datedHours = [{ agent: lina.email, from: '2999-01-01', to: '2999-01-02', workingHours }];
  const { text } = await leadctl('rules', 'lint', await datasetFile({ ...two, datedHours }));
  expect(text).toBe('2 rules: nothing is wrong.\n');
});
