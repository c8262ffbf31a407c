import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { csvText } from '../../../app/dataset/csv.ts';
import { exportDataset } from '../../../app/dataset/export.ts';
import { importDataset } from '../../../app/dataset/import.ts';
import { issueInCsv, readDatasetFile } from '../../../cli/dataset/read-file.ts';
import { formatIssue } from '../../../domain/validation-issues.ts';
import { sectionNames, type SectionName } from '../../../store/dataset/record-ids.ts';
import { sampleDataset } from '../../support/dataset.ts';
import { newFolder } from '../../support/folder.ts';
import { imported, openDatabase, options } from './open.ts';

/** Spreadsheets of one section, from a file into a real database. */
const open = await openDatabase();
const file = path.join(newFolder(), 'section.csv');
await imported(open.database, sampleDataset());
afterAll(() => open.close());

/** The issues as an operator reads them, or what changed, record by record. */
async function importCsv(section: SectionName, csv: string | Buffer) {
  await writeFile(file, csv);
  const { lines, ...given } = await readDatasetFile(file, section);
  const outcome = await importDataset(open.database, given, options());
  if (outcome.kind === 'invalid')
    return outcome.issues.map((issue) => formatIssue(issueInCsv(issue, section, lines)));
  const { records = [] } = ('changes' in outcome && outcome.changes[section]) || {};
  return records.map(({ record, change, fields }) =>
    change === 'updated'
      ? [record, Object.fromEntries(fields.map(({ field, after }) => [field, after]))]
      : [record, change],
  );
}

async function exportCsv(section: SectionName): Promise<string> {
  const exported = await exportDataset(open.database, [section]);
  return csvText(
    section,
    exported.flatMap(([, records]) => records),
  );
}

/** What a spreadsheet, or the way through one, could take for something else. */
const nasty = [
  '=cmd|calc',
  '+1',
  '-1',
  '@x',
  "'=x",
  "''",
  "'",
  "'s",
  "'none",
  'none',
  'None',
  'any',
  'a;b',
  'a,b',
  '"q"',
  'x|y',
  '[x',
  '["x"]',
  '{',
  '245,000',
  'a\nb',
  'a\r\nb',
  '＝1',
  'true',
  '1e3',
];
const text = fc
  .oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }))
  .map((value) => value.replaceAll('\0', '').trim())
  .filter((value) => value !== '' && value.isWellFormed());
const texts = fc.uniqueArray(text, { maxLength: 3, selector: (value) => value.toLowerCase() });
const hours = fc.constantFrom<unknown>(
  {},
  { mon: '09:00-18:00' },
  { 'mon-fri': ['09:00-13:00', '15:00-18:00'], sat: '' },
  { 'sun-thu': ['9:00-17:00'], 'fri,sat': '20:00-02:00' },
  { 'mon-sun': [] },
  { Monday: '09:00-12:00, 13:00-14:00' },
);
const amount = fc.constantFrom('1', '2100000', '1234.5', '245.000', null);

test('a section that is exported and imported again changes nothing', async () => {
  const datasets = fc.record({
    developers: fc.record({ name: text, description: text, enabled: fc.boolean() }),
    sources: fc.record({ name: text, subSources: texts }),
    locations: fc.record({
      name: text,
      nameAr: text,
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    }),
    agents: fc.record({ name: text, phone: text, workingHours: hours, dailyCap: fc.nat() }),
    projects: fc.record({ startingPrice: amount, bedrooms: texts, amenities: texts }),
    listings: fc.record({ price: amount, bedrooms: text }),
    absences: fc.record({ note: text }),
  });
  const keys = {
    developers: { slug: '=emaar' },
    sources: {},
    locations: { key: '@dubai', level: 'x' },
    agents: { email: '+sara@agency.example', locations: ['@dubai'] },
    projects: { slug: '-edge', location: '@dubai', status: 'Ready' },
    listings: { referenceNo: '=1', purpose: 'sale', market: 'primary' },
    absences: { agent: '+sara@agency.example', from: '2026-12-20', to: '2026-12-27' },
  };
  await fc.assert(
    fc.asyncProperty(datasets, async (fields) => {
      const sections = Object.entries(keys).map(([section, key]) => {
        return [section, [{ ...key, ...fields[section as keyof typeof keys] }]];
      });
      await imported(open.database, Object.fromEntries(sections));
      for (const section of Object.keys(keys) as SectionName[])
        expect([section, await importCsv(section, await exportCsv(section))]).toEqual([
          section,
          [],
        ]);
    }),
    { numRuns: 25 },
  );
});

test.each(sectionNames)('%s of a whole dataset is exported and imported again', async (section) => {
  const csv = await exportCsv(section);
  expect(csv.split('\n').length).toBeGreaterThan(2);
  expect(await importCsv(section, csv)).toEqual([]);
});

test('commas or semicolons, a byte order mark, blank rows, and one column beside the key', async () => {
  expect(
    await importCsv('agents', '\uFEFFEmail;DailyCap\r\nomar@agency.example;7\r\n;\r\n'),
  ).toEqual([['omar@agency.example', { dailyCap: 7 }]]);
  expect(await importCsv('agents', '\n email , openCap\nomar@agency.example,"1,200"')).toEqual([
    ['omar@agency.example', { openCap: 1200 }],
  ]);
});

test('a blank cell leaves a field as it is, and none clears it', async () => {
  await importCsv('agents', 'email,phone,dailyCap\nomar@agency.example,050,3');
  expect(await importCsv('agents', 'email,phone,dailyCap\nomar@agency.example,,none')).toEqual([
    ['omar@agency.example', { dailyCap: null }],
  ]);
  expect(await importCsv('campaigns', 'name\nNone')).toEqual([['None', 'created']]);
});

test('hours, places by name and amounts as people write them', async () => {
  const csv = [
    'email;workingHours;locations',
    'omar@agency.example;mon-fri 09:00-18:00, sat 10:00-14:00;Creek Harbour|دبي مارينا',
  ];
  expect(await importCsv('agents', csv.join('\n'))).toEqual([
    [
      'omar@agency.example',
      {
        workingHours: { 'mon-fri': '09:00-18:00', sat: '10:00-14:00' },
        locations: ['dubai/creek-harbour', 'dubai/dubai-marina'],
      },
    ],
  ]);
  expect(await importCsv('listings', 'referenceNo,price\nAG-S-1001,"245,000"')).toEqual([
    ['AG-S-1001', { price: '245000' }],
  ]);
  expect(
    await importCsv('locations', 'key,name,level,parent\ny,Y,x,X Place\nx,X Place,x,DUBAI'),
  ).toEqual([
    ['x', 'created'],
    ['y', 'created'],
  ]);
});

test('a place whose name another one has is named by its key', async () => {
  await imported(open.database, {
    locations: [
      { key: 'dubai/creek-harbour/gate', name: 'Gate', level: 'x', parent: 'dubai/creek-harbour' },
      { key: 'dubai/gate', name: 'gate', level: 'x', parent: 'dubai' },
      { key: 'plaza', name: 'Dubai Plaza', level: 'x', parent: 'dubai' },
      { key: 'other', name: 'Plaza', level: 'x', parent: 'dubai' },
    ],
  });
  expect(await importCsv('agents', 'email,locations\nomar@agency.example,plaza|GATE')).toEqual([
    'line 2, column locations: "GATE" is the name of dubai/creek-harbour/gate and dubai/gate: give the key',
  ]);
  expect(await importCsv('agents', 'email,locations\nomar@agency.example,plaza')).toEqual([
    ['omar@agency.example', { locations: ['plaza'] }],
  ]);
});

test('errors name the line and the column of the file', async () => {
  const csv = [
    'email,name,note me,workingHours',
    '"a@b.example","A',
    'B",,9 to 5',
    '',
    'c@d.example,,,',
    'a@b.example,A,,mon 9:00-25:00',
  ].join('\r\n');
  expect(await importCsv('agents', csv.replace('note me', 'dailyCap'))).toEqual([
    'line 2, column workingHours: "9-5" does not name days such as "mon-fri" or "sat,sun"',
    'line 2, column workingHours: "9-5" does not give times such as "09:00-18:00"',
    'line 5, column name: is missing',
    'line 6, column workingHours: "9:00-25:00" does not give times such as "09:00-18:00"',
  ]);
  expect(
    await importCsv('agents', 'email,name\na@b.example,"A\r\n\r\nB"\n\nc@d.example\n'),
  ).toEqual(['line 6: has 1 cell where the first row has 2']);
  expect(await importCsv('campaigns', 'name,\nA,x\n')).toEqual([
    'line 2, below no name: is not known',
  ]);
  expect(await importCsv('campaigns', 'name\nSame\n\nsame\n')).toEqual([
    'line 4, column name: is the same as that of line 2',
  ]);
  await expect(importCsv('agents', 'email\tname\na@b.example\tA\n')).rejects.toThrow(
    'line 1: tabs separate the names. Save the file with commas or semicolons.',
  );
  await expect(importCsv('agents', '')).rejects.toThrow(
    'The file is empty: its first row has the columns.',
  );
  await expect(importCsv('agents', 'sep=;\nemail;name\n')).rejects.toThrow(
    'line 1: sep=; is no row of names. Delete this line.',
  );
  await expect(importCsv('agents', csv)).rejects.toThrow(
    /^line 1, column note me: is not known\nThe columns of agents are email, name, /,
  );
  await expect(importCsv('campaigns', 'name,Name\nA,B')).rejects.toThrow(
    'line 1, column name: is there already',
  );
  expect(await importCsv('listings', 'referenceNo;price\nAG-S-1001;245.000')).toEqual([
    'line 2, column price: "245.000" may be an amount in thousands: write it without points',
  ]);
  expect(await importCsv('agents', 'email,openCap\nomar@agency.example,1.000.000')).toContain(
    'line 2, column openCap: "1.000.000" may be an amount in thousands: write it without points',
  );
});

test('one run names every error, whatever is wrong with the lines before', async () => {
  const agents = [
    'email;openCap;locations',
    'omar@agency.example;1.000;Dubay',
    'new@agency.example;5',
    'xx@agency.example;x;Dubay',
  ];
  expect(await importCsv('agents', agents.join('\n'))).toEqual([
    'line 2, column openCap: "1.000" may be an amount in thousands: write it without points',
    'line 3: has 2 cells where the first row has 3',
    'line 4, column name: is missing',
    'line 4, column openCap: must be a number',
    'line 2, column locations: no record of locations is called "Dubay"',
    'line 4, column locations: no record of locations is called "Dubay"',
  ]);
  const places = [
    'key,level,name,parent',
    'new-isle,district,New Isle,dubai,',
    'isle-1,district,Isle 1,new-isle',
  ];
  expect(await importCsv('locations', places.join('\n'))).toEqual([
    'line 2: has 5 cells where the first row has 4',
  ]);
});

test('a place keeps the three decimals of its coordinates', async () => {
  expect(await importCsv('locations', 'key,latitude\ndubai,25.204')).toEqual([
    ['dubai', { latitude: 25.204 }],
  ]);
});
