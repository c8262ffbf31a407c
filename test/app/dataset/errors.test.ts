import { checkDataset, parseDataset } from '../../../app/dataset/checks.ts';
import { formatIssue } from '../../../domain/validation-issues.ts';
import type { KnownRecords } from '../../../store/dataset/known-records.ts';
import type { KnownRecord, RecordKind } from '../../../store/dataset/record-ids.ts';
import { sampleDataset } from '../../support/dataset.ts';

const stored = (kind: RecordKind, key: string, over: Partial<KnownRecord> = {}): KnownRecord => {
  return { kind, key, id: `id-${key}`, names: [], parent: null, ...over };
};

const known: KnownRecords = {
  records: [
    stored('locations', 'dubai'),
    stored('locations', 'dubai/marina', { parent: 'dubai' }),
    stored('developers', 'emaar', { id: '00000000-0000-4000-8000-000000000001' }),
    stored('funnels', 'leasing', { names: ['Leasing'] }),
  ],
  agentSlugs: new Map([['sara', 'sara@agency.example']]),
};

let made = 0;
const newId = () => `new-${(made += 1)}`;

function issuesIn(dataset: unknown): string[] {
  const checked = checkDataset(parseDataset({ dataset }), known, newId);
  return checked.kind === 'invalid' ? checked.issues.map(formatIssue) : [];
}

const place = (key: string, parent?: string) => ({ key, name: key, level: 'x', parent });
const DATE_OR_TIME =
  'Expected a date such as "2026-12-20" or a time such as "2026-12-20T09:00+04:00"';
const agent = (email: string, slug?: string) => ({ email, name: email, slug });
const listing = { referenceNo: 'A', purpose: 'sale', market: 'primary' };
const rule = (over: object) => ({
  name: 'R',
  order: 1,
  target: { kind: 'team', name: 'T' },
  ...over,
});
const T = { teams: [{ name: 'T', members: [] }] };
const other = '00000000-0000-4000-8000-000000000002';

test('a dataset that names only known records is valid', () => {
  expect(issuesIn(sampleDataset())).toEqual([]);
});

test('a name may refer to a record in the database', () => {
  expect(issuesIn({ locations: [place('dubai/jlt', 'Dubai')] })).toEqual([]);
  expect(issuesIn({ listings: [{ ...listing, developer: 'Emaar', location: 'dubai' }] })).toEqual(
    [],
  );
});

test.each<[string, unknown, unknown[]]>([
  ['no object', [], ['dataset: Expected an object with a list per section']],
  ['an unknown section', { developer: [] }, ['developer: is not a section']],
  ['a section that is no list', { developers: {} }, ['developers: Expected a list of records']],
  [
    'a wrong type, a missing name and an unknown field, of one record',
    {
      developers: [
        { slug: 'a', name: 'A' },
        { slug: 7, colour: 'red' },
      ],
    },
    [
      'developers[1].slug: must be a text',
      'developers[1].name: is missing',
      'developers[1].colour: is not known',
    ],
  ],
  [
    'a misspelt field',
    { agents: [{ email: 'sara@agency.example', name: 'Sara', dailycap: 5 }] },
    ['agents[0].dailycap: is not known; dailyCap is'],
  ],
  [
    'a wrong type inside a list',
    { teams: [{ name: 'T', members: [{ agent: 'x@y', weight: 0 }] }] },
    [
      'teams[0].members[0].weight: must be at least 1',
      'teams[0].members[0].agent: no record of agents is called "x@y"',
    ],
  ],
  [
    'the references of a record that is invalid otherwise',
    {
      agents: [{ ...agent('a@b'), dailyCap: -1, languages: ['Elvish', 7], locations: 'nowhere' }],
      listings: [{ ...listing, purpose: 'lease', currency: 'ABC', location: 'nowhere' }],
    },
    [
      'agents[0].languages[1]: must be a text',
      'agents[0].locations: must be a list',
      'agents[0].dailyCap: must be at least 0',
      'listings[0].purpose: must be sale or rent',
      'agents[0].locations: no record of locations is called "nowhere"',
      'listings[0].location: no record of locations is called "nowhere"',
      'agents[0].languages[0]: no language is called "Elvish"',
      'listings[0].currency: no currency is called "ABC"',
    ],
  ],
  [
    'a phone in the column of a cap',
    { agents: [{ ...agent('a@b'), dailyCap: 971_500_000_001, openCap: 2_147_483_647 }] },
    ['agents[0].dailyCap: must be at most 2147483647'],
  ],
  [
    'a broken character',
    { campaigns: [{ name: 'a\u0000' }] },
    ['campaigns[0].name: Holds a broken character'],
  ],
  [
    'two records of one key',
    {
      developers: [
        { slug: 'A', name: 'A' },
        { slug: 'a ', name: 'B' },
      ],
    },
    ['developers[1].slug: is the same as that of developers[0]'],
  ],
  [
    'two listings of one number and no id',
    { listings: [listing, { ...listing, referenceNo: 'a' }] },
    ['listings[1].referenceNo: is the same as that of listings[0]'],
  ],
  [
    'two listings of one id',
    {
      listings: [
        { ...listing, id: other },
        { ...listing, referenceNo: 'B', id: other },
      ],
    },
    ['listings[1].referenceNo: is the same as that of listings[0]'],
  ],
  [
    'a sub-source twice',
    { sources: [{ name: 'S', subSources: ['Chat', 'chat'] }] },
    ['sources[0].subSources[1]: is there already'],
  ],
  [
    'an id that is not the record’s own',
    { developers: [{ slug: 'emaar', name: 'E', id: other }] },
    [
      'developers[0].id: is not the id that this record has already, 00000000-0000-4000-8000-000000000001',
    ],
  ],
  [
    'the id of another record',
    { developers: [{ slug: 'x', name: 'X', id: '00000000-0000-4000-8000-000000000001' }] },
    ['developers[0].id: is the id of developers emaar'],
  ],
  [
    'the slug of another agent',
    { agents: [agent('omar@agency.example', 'sara')] },
    ['agents[0].slug: is that of sara@agency.example too'],
  ],
  [
    'a cycle in the file',
    { locations: [place('a', 'b'), place('b', 'c'), place('c', 'a')] },
    ['locations[0].parent: lies in itself: a in b in c in a'],
  ],
  [
    'a cycle by way of the database',
    { locations: [place('dubai', 'dubai/marina')] },
    ['locations[0].parent: lies in itself: dubai in dubai/marina in dubai'],
  ],
  [
    'hours and a zone that say nothing',
    { agents: [{ ...agent('a@b'), timeZone: 'Mars', workingHours: { someday: '9-5' } }] },
    [
      'agents[0].timeZone: Expected a time zone such as "Asia/Dubai"',
      'agents[0].workingHours: "someday" does not name days such as "mon-fri" or "sat,sun"',
      'agents[0].workingHours: "9-5" does not give times such as "09:00-18:00"',
    ],
  ],
  [
    'offsets and abbreviations in place of zones',
    {
      agents: ['AST', '+04:00', '+0530'].map((timeZone, at) => ({ ...agent(`${at}@b`), timeZone })),
    },
    [0, 1, 2].map((at) => `agents[${at}].timeZone: Expected a time zone such as "Asia/Dubai"`),
  ],
  [
    'absences and holidays that make no sense',
    {
      agents: [agent('a@b')],
      absences: [
        { agent: 'nobody@b', from: '2026-12-20', to: '2026-12-27' },
        { agent: 'A@b', from: '2026-02-30', to: '2026-12-27T09:00' },
        { agent: 'a@b', from: '2026-12-20', to: '2026-12-19' },
        { agent: 'a@b', from: '2026-12-20', to: '2026-12-20T09:00:30+04:00' },
        { agent: 'A@B', from: '2026-12-20', to: '2026-12-20T09:00:30+04:00', note: 'again' },
      ],
      holidays: [
        { name: 'Eid', from: '2026-12-20T10:00Z', to: '2026-12-20T13:00+04:00' },
        { from: '2026-12-20', to: '2026-12-20' },
      ],
    },
    [
      `absences[1].from: ${DATE_OR_TIME}`,
      `absences[1].to: ${DATE_OR_TIME}`,
      'absences[2].to: is before "from"',
      'holidays[0].to: is before "from"',
      'holidays[1].name: is missing',
      'absences[4].to: is the same as that of absences[3]',
      'absences[0].agent: no record of agents is called "nobody@b"',
    ],
  ],
  [
    'dated hours that end before they begin, or begin at a time',
    {
      agents: [agent('a@b')],
      datedHours: [
        { agent: 'a@b', from: '2027-02-18', to: '2027-02-17', workingHours: {} },
        { agent: 'a@b', from: '2027-02-18T09:00+04:00', to: '2027-03-19', workingHours: {} },
      ],
    },
    [
      'datedHours[0].to: is before "from"',
      'datedHours[1].from: Expected a date such as "2026-12-20"',
    ],
  ],
  [
    'a field that no quiz fills',
    { quizFields: [{ quizKey: 'q', questionKey: 'k', field: 'leadPhones' }] },
    ['quizFields[0].field: Not a field of the lead that a quiz can fill'],
  ],
  [
    'two funnels whose keys are read as the same',
    {
      funnels: [
        { key: 'show_room', name: 'Show Room' },
        { key: 'Show-Room', name: 'Showroom' },
      ],
    },
    ['funnels[1].key: is the same as that of funnels[0]'],
  ],
  [
    'brokers and domains that no enquiry could match',
    {
      knownAgents: [{ email: 'no e-mail' }, { email: 'a@b.example', phone: 'N/A' }, {}],
      competitorDomains: [
        ...['https://rival.example/', '@rival.example', 'not a domain', '*.rival.example'],
        ...['.rival.example', 'www.other.example', 'third.example.'],
      ],
    },
    [
      'knownAgents[0].email: Expected an e-mail address',
      'knownAgents[1].phone: Expected a phone number',
      'knownAgents[2]: Needs an e-mail or a phone',
      'competitorDomains[0]: Expected a domain such as "rival.example"',
      'competitorDomains[2]: Expected a domain such as "rival.example"',
      'competitorDomains[3]: Expected a domain such as "rival.example"',
      'competitorDomains[4]: Expected a domain such as "rival.example"',
    ],
  ],
  [
    'a field of a condition that is unknown, missing or not for its operator',
    {
      pools: [{ name: 'T' }],
      rules: [
        rule({
          target: { kind: 'pool', name: 'T' },
          when: [
            [
              { field: 'bogus', op: 'in', values: ['x'] },
              { field: 'budget', op: 'in', values: ['x'] },
              { field: 'source', op: 'between', min: 1 },
              { op: 'exists' },
            ],
          ],
        }),
      ],
    },
    [
      expect.stringMatching(
        /^rules\[0\]\.when\[0\]\[0\]\.field: Expected one of source, .+, budget$/,
      ),
      'rules[0].when[0][1].field: "budget" does not go with this "op"',
      'rules[0].when[0][2].field: "source" does not go with this "op"',
      'rules[0].when[0][3].field: is missing',
    ],
  ],
  [
    'the names in a rule that is invalid otherwise',
    {
      rules: [
        rule({
          order: 1.5,
          when: [
            [
              { field: 'budget', op: 'between', values: ['much', null] },
              { field: 'developer', op: 'in', values: ['nobody'] },
              { field: 'source', op: 'in', values: [5] },
              { field: 'source', op: 'notIn', values: [true] },
              { field: 'isRepeatLead', op: 'in', values: [true, 'false', 'yes'] },
            ],
          ],
          onExhausted: { kind: 'pool', name: 'P' },
          followUp: { minutes: -1, pool: 'Q' },
        }),
        'R',
      ],
    },
    [
      'rules[0].order: must be a whole number',
      'rules[0].when[0][0].values[0]: Expected an amount',
      'rules[0].when[0][2].values[0]: Expected a text, or true or false',
      'rules[0].followUp.minutes: must be at least 0',
      'rules[1]: must be an object',
      'rules[0].when[0][1].values[0]: no developer is called "nobody"',
      'rules[0].when[0][3].values[0]: no source is called "true"',
      'rules[0].when[0][4].values[2]: no isRepeatLead is called "yes"',
      'rules[0].target.name: no record of teams is called "T"',
      'rules[0].onExhausted.name: no record of pools is called "P"',
      'rules[0].followUp.pool: no record of pools is called "Q"',
    ],
  ],
  [
    'a weight or a time that no lead could be routed with',
    {
      agents: [agent('sara@agency.example')],
      teams: [{ name: 'T', members: [{ agent: 'sara@agency.example', weight: 1e9 }] }],
      rules: [
        rule({ followUp: { minutes: 1e13 }, onExhausted: { kind: 'wait', atMostMinutes: 1e13 } }),
      ],
    },
    [
      'teams[0].members[0].weight: must be at most 10000',
      'rules[0].onExhausted.atMostMinutes: must be at most 527040',
      'rules[0].followUp.minutes: must be at most 527040',
    ],
  ],
  [
    'a rule that claims nothing there is',
    { ...T, rules: [rule({ claims: ['sideways'] })] },
    ['rules[0].claims[0]: Not a distribution type'],
  ],
])('%s is an error with its place', (_what, dataset, issues) => {
  expect(issuesIn(dataset)).toEqual(issues);
});

test('a reference to an invalid record is no second error', () => {
  const dataset = {
    developers: [{ slug: 'new', name: 3 }],
    listings: [{ ...listing, developer: 'new' }],
  };
  expect(issuesIn(dataset)).toEqual(['developers[0].name: must be a text']);
});
