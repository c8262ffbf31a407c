import { Command } from 'commander';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { exportCommand } from '../../cli/export.ts';
import { fields } from '../../domain/leads/fields.ts';
import { startIntake } from '../support/api.ts';
import { leadctlFor } from './leadctl.ts';

const api = await startIntake();
const leadctl = leadctlFor([exportCommand], {
  DATABASE_URL: api.config.database.url,
  COMPANY_NAME: api.config.companyName,
});
afterAll(() => api.stop());

interface ValueList {
  list: string;
  fields: string[];
  about: string;
  values: { value: string; [column: string]: unknown }[];
}

const readLists = async (): Promise<ValueList[]> =>
  JSON.parse((await leadctl('export', 'values', '--format', 'json')).text);

test('every field that is matched against a list has its values, or where to read them', async () => {
  const lists = await readLists();
  const listed = lists.flatMap((list) => list.fields);
  const matched = fields.filter(
    ({ match }) => typeof match === 'object' || match === 'distributionType',
  );
  expect(listed.toSorted()).toEqual(matched.map(({ name }) => name).toSorted());
  for (const { list, about, values } of lists)
    expect([list, values.length > 0 || about !== '']).toEqual([list, true]);
});

test('the options of export are neither shown nor ignored', async () => {
  const program = new Command('leadctl').configureHelp({ showGlobalOptions: true });
  exportCommand(program, () => async () => undefined);
  const help = program.commands[0]?.commands[0]?.helpInformation();
  expect(help).toContain('--format');
  expect(help).not.toMatch(/--section|--csv|--template/);
  await expect(leadctl('export', 'values', '--csv')).rejects.toThrow('takes --format alone');
});

test('a create that sends the values has none of them unresolved', async () => {
  const lists = await readLists();
  for (const { list, fields: names, values } of lists.filter(({ list }) => list !== 'subSource'))
    for (const name of names)
      for (const { value } of values) {
        const sent = {
          [name]: list === 'language' ? [value] : value,
          ...(list === 'distributionType' && { assignedBy: 'omar@agency.example' }),
        };
        const lead = await api.create(sent);
        expect([name, value, lead.intakeUnresolved]).toEqual([name, value, null]);
      }
});

test('names portals, the sources of sub-sources, keys of funnels and levels of locations', async () => {
  const lists = new Map((await readLists()).map(({ list, values }) => [list, values]));
  expect(lists.get('source')).toContainEqual({ value: 'Property Portal A', portal: true });
  expect(lists.get('subSource')).toContainEqual({ value: 'Landing Page', source: 'Website' });
  expect(lists.get('funnel')).toContainEqual({ value: 'Show Room', key: 'show_room' });
  expect(lists.get('locationLevel')?.map(({ value }) => value)).toEqual(['community', 'emirate']);
  expect(lists.get('propertyType')?.map(({ value }) => value)).not.toContain('Kiosk');
});

test('is a page of tables by default', async () => {
  const { text } = await leadctl('export', 'values');
  const { children } = fromMarkdown(text, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const withValues = (await readLists()).filter(({ values }) => values.length > 0);
  expect(children.filter(({ type }) => type === 'table')).toHaveLength(withValues.length);
  expect(text).toContain('| Property Portal A | yes |');
});
