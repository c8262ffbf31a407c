import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exportCommand } from '../../cli/export.ts';
import { importCommand } from '../../cli/import.ts';
import { leadCommands } from '../../cli/lead.ts';
import { rulesCommands } from '../../cli/rules.ts';
import { startTestApi } from '../support/api.ts';
import { newFolder } from '../support/folder.ts';
import { leadctlFor } from './leadctl.ts';
import { leadActivities } from '../support/worker.ts';

const agent = (name: string, languages: string[]) => ({
  email: `${name.toLowerCase()}@agency.example`,
  name,
  slug: name.toLowerCase(),
  languages,
  locations: ['dubai'],
});

const DATASET = {
  locations: [
    { key: 'dubai', name: 'Dubai', level: 'emirate' },
    { key: 'dubai/marina', name: 'Dubai Marina', level: 'community', parent: 'dubai' },
    { key: 'sharjah', name: 'Sharjah', level: 'emirate' },
  ],
  sources: [
    { name: 'Website', portal: false, subSources: ['Chat'] },
    { name: 'Social', portal: false, subSources: ['Chat'] },
  ],
  agents: [agent('Sara', ['ar']), agent('Omar', ['en']), agent('Lina', ['en', 'ar'])],
  teams: [
    {
      name: 'Marina Sales',
      members: [{ agent: 'sara@agency.example', weight: 2 }, { agent: 'omar@agency.example' }],
    },
    { name: 'Others', members: [{ agent: 'lina@agency.example' }] },
  ],
  pools: [{ name: 'Weekend Pool' }],
  rules: [
    {
      name: 'Sharjah',
      order: 5,
      when: [[{ field: 'location', op: 'within', values: ['sharjah'] }]],
      target: { kind: 'pool', name: 'Weekend Pool' },
    },
    {
      name: 'Marina in their language',
      order: 10,
      when: [
        [
          { field: 'location', op: 'within', values: ['dubai'] },
          { field: 'subSource', op: 'in', values: ['Chat'] },
        ],
        [{ field: 'language', op: 'in', values: ['Arabic'] }],
      ],
      target: { kind: 'team', name: 'Marina Sales' },
      gates: { language: 'require' },
    },
    { name: 'Rest', order: 20, target: { kind: 'team', name: 'Others' } },
  ],
};

const ENQUIRIES = [
  { areaOfInterest: 'Dubai Marina', source: 'Website', subSource: ['Chat'], languages: ['Arabic'] },
  {
    areaOfInterest: 'Dubai Marina',
    source: 'Website',
    subSource: ['Chat'],
    languages: ['English'],
  },
  { areaOfInterest: 'Sharjah', languages: ['Arabic'] },
  { languages: ['Arabic'] },
  { languages: ['French'], areaOfInterest: 'Dubai' },
  { areaOfInterest: 'Dubai Marina', source: 'Website', subSource: ['Chat'] },
];

const leads: string[] = [];

const api = await startTestApi();
const folder = newFolder();
const leadctl = leadctlFor([importCommand, exportCommand, rulesCommands, leadCommands], {
  DATABASE_URL: api.config.database.url,
});
await leadctl('import', await saved(DATASET));
const route = leadActivities(api).routeLead;
for (const [number, body] of ENQUIRIES.entries()) {
  const leadEmails = [`${number}@person.example`];
  const lead = await api.create({ leadEmails, ...body });
  await route({ leadId: lead.id });
  leads.push(lead.id);
}

afterAll(() => api.stop());

async function saved(dataset: object): Promise<string> {
  const file = path.join(folder, `${Math.random()}.json`);
  await writeFile(file, JSON.stringify(dataset));
  return file;
}

describe('imported rules', () => {
  test('change no decision when the imported or exported file is tried', async () => {
    const exported = path.join(folder, 'export.json');
    await leadctl('export', exported);
    for (const file of [await saved(DATASET), exported]) {
      const { json } = await leadctl('rules', 'try', file, '--json');
      expect(json).toMatchObject({ faithful: 6, comparison: { total: 6, elsewhere: 0 } });
    }
  });

  test('give the same decisions when recomputed', async () => {
    const { json } = await leadctl('rules', 'check', '--json');
    expect(json).toMatchObject({ checked: 6, differing: [] });
  });

  test('are explained with the names in the file', async () => {
    const { text } = await leadctl('lead', 'explain', leads[4] ?? '');
    expect(text).toContain('location: wanted within Sharjah, found Dubai');
    expect(text).toContain('subSource: wanted Chat, found nothing');
    expect(text).toContain('language: wanted ar, found fr');
    expect(text).toMatch(/Rest\W+took it\W+Lina/);
  });

  test('send only the leads of a changed rule elsewhere', async () => {
    const [sharjah, ...others] = DATASET.rules;
    const target = { kind: 'agent', name: 'lina@agency.example' };
    const file = await saved({ rules: [{ ...sharjah, target }, ...others] });
    const { text } = await leadctl('rules', 'try', file);
    expect(text).toContain('1 of 6 leads would go elsewhere');
    expect(text).toMatch(/pool Weekend Pool\W+Lina\W+1/);
  });
});
