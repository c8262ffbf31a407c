import { importDataset, type ImportOptions } from '../../../app/dataset/import.ts';
import { findDisabledSubSources } from '../../../app/dataset/losses.ts';
import type { Rule } from '../../../domain/routing/rules.ts';
import { connectDatabase } from '../../../store/db/database.ts';
import {
  lockReferenceVersion,
  readReferenceVersion,
} from '../../../store/catalogue/reference-version.ts';
import { ImportBusyError, lockImports } from '../../../store/dataset/import-state.ts';
import { rules as ruleSection } from '../../../store/dataset/rules.ts';
import { addAbsence } from '../../../store/routing/agents.ts';
import { readRulesetEntry, RulesActivatedError } from '../../../store/routing/rulesets.ts';
import { sampleDataset } from '../../support/dataset.ts';
import { waitForLockWaits } from '../../support/lock-waits.ts';
import { imported, openDatabase, options } from './open.ts';

const open = await openDatabase();
afterAll(() => open.close());

const { database } = open;
const query = (text: string, values: unknown[] = []) => database.query(text, values);
const load = (dataset: object, over?: Partial<ImportOptions>) => imported(database, dataset, over);
const outcomeOf = (dataset: object) => importDataset(database, { dataset }, options());
const paths = async () =>
  (await query(`select path from locations order by path`)).map(({ path }) => path as string);
const place = (key: string, name: string, parent?: string) => ({ key, name, level: 'x', parent });

/** Every table that an import could write, whole. */
async function everything(): Promise<string> {
  const tables = [
    'list_entries',
    'locations',
    'developers',
    'projects',
    'funnels',
    'funnel_stages',
    'agents',
    'teams',
    'team_members',
    'agent_absences',
    'agent_dated_hours',
    'holidays',
    'listings',
    'quiz_fields',
    'known_agents',
    'competitor_domains',
    'routing_rulesets',
    'routing_activations',
    'reference_state',
  ];
  const [row] = await query(
    `select jsonb_build_array(${tables.map((table) => `(select jsonb_agg(t order by t::text) from ${table} t)`).join(', ')})::text as all`,
  );
  return row?.all as string;
}

describe('in this order', () => {
  test('a first import creates every record', async () => {
    const counts = await load(sampleDataset());
    expect(counts.locations).toEqual({ created: 4, updated: 0, unchanged: 0, disabled: 0 });
    expect(counts.sources?.created).toBe(5);
    expect(counts.funnels).toMatchObject({ created: 0, updated: 1 });
    expect(await paths()).toEqual([
      'Dubai',
      'Dubai > Creek Harbour',
      'Dubai > Dubai Marina',
      'Dubai > Dubai Marina > Marina Gate',
    ]);
  });

  test('a second import of the same file changes nothing at all', async () => {
    const before = await everything();
    const counts = await load(sampleDataset());
    for (const count of Object.values(counts))
      expect(count).toMatchObject({ created: 0, updated: 0, disabled: 0 });
    expect(await everything()).toBe(before);
  });

  test('with any error nothing is changed, and all errors are reported', async () => {
    const before = await everything();
    const dataset = {
      ...sampleDataset(),
      campaigns: [{ name: 'New one' }],
      developers: [{ slug: 'emaar', name: 'Other name' }, { slug: 'x' }],
      listings: [{ referenceNo: 'ag-r-2', purpose: 'sale', market: 'primary' }],
    };
    const outcome = await outcomeOf(dataset);
    expect(outcome).toMatchObject({
      kind: 'invalid',
      issues: [
        { place: 'developers[1].name' },
        { place: 'listings[0].referenceNo', message: 'is that of several listings: give the id' },
      ],
    });
    expect(await everything()).toBe(before);
  });

  test('keys of quizzes and questions are told apart by case and by where they end', async () => {
    const field = (quizKey: string, questionKey: string) => ({
      quizKey,
      questionKey,
      field: 'source',
    });
    const quizFields = [
      field('case', 'budget'),
      field('case', 'Budget'),
      field('a/b', 'c'),
      field('a', 'b/c'),
    ];
    expect((await load({ quizFields })).quizFields?.created).toBe(4);
    const again = await load({ quizFields: quizFields.slice(1, 2) });
    expect(again.quizFields).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });

  test('an agent whose time zone is cleared has that of the company', async () => {
    const [first, ...others] = sampleDataset().agents;
    const agents = [
      { ...first, timeZone: 'Asia/Dubai' },
      ...others.map((agent) => ({ ...agent, timeZone: null })),
    ];
    await load({ agents }, { companyTimeZone: 'Asia/Riyadh' });
    const zones = await query(`select time_zone as zone from agents order by time_zone`);
    await load({ agents });
    await load({ agents: sampleDataset().agents });
    expect(zones).toEqual([{ zone: 'Asia/Dubai' }, { zone: 'Asia/Riyadh' }]);
  });

  test('what the file does not know of is left alone: pauses, places in the rotation, contacts', async () => {
    await query(`update agents set paused_at = now() where slug = 'omar'`);
    await query(`update team_members set owed_leads = 0.7`);
    const dataset = sampleDataset();
    dataset.agents[1] = {
      ...dataset.agents[1],
      name: 'Omar Khan',
      email: 'OMAR@agency.example',
    } as never;
    dataset.teams[0]?.members.reverse();
    const counts = await load({ agents: dataset.agents, teams: dataset.teams });
    expect(counts).toMatchObject({ agents: { updated: 1, unchanged: 1 }, teams: { updated: 1 } });
    const [omar] = await query(`select name, paused_at from agents where slug = 'omar'`);
    expect(omar).toMatchObject({ name: 'Omar Khan', paused_at: expect.any(Date) });
    expect(await query(`select owed_leads, position from team_members order by position`)).toEqual([
      { owed_leads: 0.7, position: 0 },
      { owed_leads: 0.7, position: 1 },
    ]);
  });

  test('a member that the file leaves out of a team is out of it', async () => {
    const members = [{ agent: 'omar@agency.example' }];
    await load({ teams: [{ name: 'marina sales', members }] });
    expect(
      await query(`select a.slug from team_members m join agents a on a.id = m.agent_id`),
    ).toEqual([{ slug: 'omar' }]);
  });

  test('the paths of a whole subtree follow a move and a new name, those not in the file too', async () => {
    const counts = await load({
      locations: [place('uae', 'UAE'), place('dubai', 'Dubai Emirate', 'uae')],
    });
    expect(counts.locations).toMatchObject({ created: 1, updated: 1 });
    expect(await paths()).toEqual([
      'UAE',
      'UAE > Dubai Emirate',
      'UAE > Dubai Emirate > Creek Harbour',
      'UAE > Dubai Emirate > Dubai Marina',
      'UAE > Dubai Emirate > Dubai Marina > Marina Gate',
    ]);
    const [gate] = await query(
      `select array(select key from locations l, unnest(g.ancestor_ids) with ordinality as a (id, at)
         where l.id = a.id order by at) as keys
       from locations g where name = 'Marina Gate'`,
    );
    expect(gate?.keys).toEqual(['uae', 'dubai', 'dubai/dubai-marina']);
  });

  test('stages that the file leaves out go behind the others', async () => {
    await load({ funnels: [{ key: 'leasing', name: 'Leasing', stages: ['Viewing', 'New'] }] });
    const stages = await query(
      `select s.name from funnel_stages s join funnels f on f.id = s.funnel_id
       where f.key = 'leasing' order by s.position`,
    );
    expect(stages.map(({ name }) => name as string)).toEqual([
      'Viewing',
      'New',
      'Contacted',
      'Closed',
      'Qualified',
    ]);
  });

  test('a ruleset of other content is a new version, and the active one', async () => {
    const dataset = sampleDataset();
    const rules = dataset.rules.slice(0, 1).map((rule) => ({ ...rule, order: 5 }));
    const counts = await load({ rules }, { author: 'noor' });
    expect(counts.rules).toEqual({ created: 0, updated: 1, unchanged: 0, disabled: 1 });
    const [active] = await query(
      `select r.version, r.author, a.author as activator, jsonb_array_length(r.rules) as rules
       from routing_activations a join routing_rulesets r using (version) order by a.id desc limit 1`,
    );
    expect(active).toMatchObject({ author: 'noor', activator: 'noor', rules: 1 });
    const [{ versions } = { versions: 0 }] = await query(
      `select max(version) as versions from routing_rulesets`,
    );
    expect(active?.version).toBe(versions);
  });

  test('listings without an id are found again by number, beside those of the same number with one', async () => {
    const listing = { referenceNo: 'AG-7', purpose: 'sale', market: 'primary' };
    const named = { ...listing, id: '5f0c9f5e-7a3f-4a0e-9a54-0c9d5a4f1007' };
    const first = await load({ listings: [named, { ...listing, price: '10' }] });
    const second = await load({ listings: [{ ...listing, price: 11.5 }, named] });
    expect([first.listings, second.listings]).toMatchObject([
      { created: 2 },
      { updated: 1, unchanged: 1 },
    ]);
    expect(
      await query(`select price from listings where reference_no = 'AG-7' order by price`),
    ).toEqual([{ price: '11.5' }, { price: null }]);
  });

  test('listings of any number are each written once, and all of them are checked', async () => {
    const listing = (at: number) => ({
      referenceNo: `N-${at}`,
      purpose: 'sale',
      market: 'primary',
      price: String(at),
    });
    const listings = Array.from({ length: 2500 }, (_, at) => listing(at));
    const written: number[] = [];
    const onProgress = (_section: string, count: number, of: number) => written.push(count / of);
    const first = await load({ listings }, { onProgress });
    expect(first.listings).toMatchObject({ created: 2500 });
    expect(written).toEqual([0.4, 0.8, 1]);
    const second = await load({ listings: listings.slice(1) }, { disableMissing: true });
    expect(second.listings).toMatchObject({ unchanged: 2499, created: 0, updated: 0 });
    expect(await query(`select price from listings where not enabled and price = '0'`)).toEqual([
      { price: '0' },
    ]);
    const invalid = listings.map((each, at) =>
      at === 2400 ? { ...each, agent: 'no@body' } : each,
    );
    expect(await outcomeOf({ listings: invalid })).toMatchObject({
      issues: [{ place: 'listings[2400].agent' }],
    });
  });

  test('agents may exchange their slugs', async () => {
    const named = (sara: string, omar: string) => ({
      agents: sampleDataset().agents.map((agent, at) => ({ ...agent, slug: [sara, omar][at] })),
    });
    await load(named('one', 'two'));
    const { agents } = await load(named('two', 'one'));
    expect(agents).toMatchObject({ updated: 2 });
    expect(await query(`select slug from agents order by email desc`)).toEqual([
      { slug: 'two' },
      { slug: 'one' },
    ]);
    await load({ agents: sampleDataset().agents });
  });

  test('two agents of one name and no slug have one each, and keep it', async () => {
    const agents = ['k1', 'k2'].map((who) => ({ email: `${who}@agency.example`, name: 'A. Khan' }));
    await load({ agents });
    const again = await load({ agents: agents.toReversed() });
    expect(again.agents).toMatchObject({ unchanged: 2, created: 0, updated: 0 });
    expect(await query(`select slug from agents where name = 'A. Khan' order by email`)).toEqual([
      { slug: 'a-khan' },
      { slug: 'a-khan-2' },
    ]);
  });

  test('an id of any version is kept, one that is no uuid is an error', async () => {
    const id = '11111111-1111-1111-1111-111111111111';
    const pool = (over: object) => ({ pools: [{ name: 'Anywhere', ...over }] });
    await load(pool({ id }));
    expect(await query(`select id from list_entries where name = 'Anywhere'`)).toEqual([{ id }]);
    expect(await outcomeOf(pool({ id: '1111' }))).toEqual({
      kind: 'invalid',
      issues: [{ place: 'pools[0].id', message: 'Expected a uuid' }],
    });
  });

  test('a record that disappears stays, and is disabled only when that is asked for', async () => {
    const developers = [{ slug: 'emaar', name: 'Emaar Properties', popular: true }];
    const dataset = { developers, knownAgents: [], sources: [{ name: 'Website' }] };
    expect((await load(dataset)).developers).toMatchObject({ unchanged: 1, disabled: 0 });
    await query(`update developers set enabled = true`);
    const counts = await load(dataset, { disableMissing: true });
    expect(counts).toMatchObject({
      developers: { disabled: 1 },
      knownAgents: { disabled: 2 },
      sources: { disabled: 2 },
    });
    expect(await query(`select slug, enabled from developers order by slug`)).toEqual([
      { slug: 'emaar', enabled: true },
      { slug: 'nakheel', enabled: false },
    ]);
    expect(await query(`select 1 from locations where not enabled`)).toEqual([]);
  });

  test('a record that was switched off stays off until the file says otherwise', async () => {
    const { sources } = sampleDataset();
    await load({ sources });
    expect(await query(`select name from list_entries where not enabled`)).toEqual([
      { name: 'Property Portal A' },
    ]);
    await load({ sources: sources.map((each) => ({ ...each, enabled: true })) });
    expect(await query(`select 1 from list_entries where not enabled`)).toEqual([]);
  });
});

describe('a field that a file leaves out', () => {
  const read = (table: string) => query(`select * from ${table} order by 1`);

  test('stays as it is, null and [] clear it', async () => {
    const { locations, propertyTypes, developers, projectStatuses, projects, agents, listings } =
      sampleDataset();
    const whole = {
      locations,
      propertyTypes,
      developers,
      projectStatuses,
      projects,
      agents,
      listings,
    };
    await load(whole);
    const untouched = [await read('agents'), await read('projects'), await read('listings')];
    await load({
      agents: [{ email: 'SARA@agency.example ' }],
      projects: [{ slug: 'creek-edge' }],
      listings: [{ referenceNo: 'AG-S-1001' }, { id: listings[1]?.id }],
    });
    expect([await read('agents'), await read('projects'), await read('listings')]).toEqual(
      untouched,
    );
    await load({
      agents: [{ email: 'sara@agency.example', active: false, phone: null, languages: [] }],
      listings: [{ referenceNo: 'AG-S-1001', price: '99', location: null }],
    });
    expect(
      await query(
        `select active, phone, languages, category, daily_cap as cap, cardinality(location_ids) as places
         from agents where email = 'sara@agency.example'`,
      ),
    ).toEqual([{ active: false, phone: null, languages: [], category: 'A', cap: 10, places: 1 }]);
    expect(
      await query(
        `select price, location_id, market, bedrooms from listings where reference_no = 'AG-S-1001'`,
      ),
    ).toEqual([{ price: '99', location_id: null, market: 'secondary', bedrooms: '2' }]);
  });

  test('is reported as missing where a new record needs it', async () => {
    const dataset = { agents: [{ email: 'new@agency.example' }], listings: [{ referenceNo: 'N' }] };
    expect(await outcomeOf(dataset)).toMatchObject({
      kind: 'invalid',
      issues: [
        { place: 'agents[0].name', message: 'is missing' },
        { place: 'listings[0].purpose' },
        { place: 'listings[0].market' },
      ],
    });
  });
});

describe('before an import takes something away', () => {
  const pool = { kind: 'pool', name: 'Weekend Pool' };
  const first = { name: 'First', order: 1, target: pool };
  const second = {
    name: 'Second',
    order: 2,
    when: [[{ field: 'currency', op: 'in', values: ['AED'] }]],
    gates: { language: 'prefer', caps: false },
    target: pool,
  };
  const run = (dataset: unknown, over = {}) =>
    importDataset(database, { dataset }, options({ accepts: undefined, ...over }));

  test('it is refused, whole, with what would be lost', async () => {
    await load({
      pools: [{ name: 'Weekend Pool' }],
      rules: [first, second, { name: 'Third', order: 3, target: pool }],
      holidays: [{ name: 'Eid', from: '2027-03-10', to: '2027-03-12' }],
    });
    const before = await everything();
    const rules = [
      { name: 'Second', order: 0, when: [] },
      { name: 'First', enabled: false },
    ];
    expect(await run({ rules, holidays: [] })).toMatchObject({
      kind: 'refused',
      losses: {
        rules: [
          { kind: 'switched_off', rule: 'First' },
          { kind: 'emptied', rule: 'Second', field: 'when' },
          { kind: 'missing', rule: 'Third' },
        ],
        holidays: ['Eid 2027-03-10 2027-03-12'],
      },
    });
    expect(await everything()).toBe(before);
  });

  test('a dry run says field by field what would change', async () => {
    const before = await everything();
    const gates = { language: 'require' };
    const rules = [{ name: 'Second', gates }, { name: 'Third', order: 0 }, { name: 'First' }];
    expect(await run({ rules }, { dryRun: true })).toMatchObject({
      kind: 'planned',
      losses: { rules: [{ kind: 'moved', rule: 'Third', behind: null }] },
      changes: {
        rules: {
          total: 2,
          records: [
            {
              record: 'Second',
              fields: [{ before: { caps: false }, after: { caps: false, language: 'require' } }],
            },
            { record: 'Third', fields: [{ field: 'order', before: 3, after: 0 }] },
          ],
        },
      },
    });
    expect(await everything()).toBe(before);
  });
});

test('rules are searched once for the names of sub-sources, however many are switched off', async () => {
  const subSources = Array.from({ length: 20 }, (_, at) => `Stand ${at}`);
  await load({ sources: [{ name: 'Fair', subSources }] });
  await load({ sources: [{ name: 'Fair', subSources: [] }] });
  const off = await query(`select id from list_entries where list = 'subSource' and not enabled`);
  let searched = 0;
  const rules = off.map(({ id }, at) => ({
    name: `Rule ${at}`,
    enabled: at < 2,
    toJSON: () => ((searched += 1), { values: [id] }),
  }));
  const found = await findDisabledSubSources(database, rules as unknown as Rule[]);
  expect(found.flatMap((each) => each.rules).sort()).toEqual(['Rule 0', 'Rule 1']);
  expect([off.length, searched]).toEqual([20, 2]);
});

test('the version of the reference data moves when something changed, and only then', async () => {
  const version = () => readReferenceVersion(database);
  const before = await version();
  await load({ campaigns: [{ name: 'Autumn' }] });
  expect(await version()).toBe(before + 1);
  await load({ campaigns: [{ name: 'Autumn' }] });
  expect(await version()).toBe(before + 1);
  await load({ campaigns: [] }, { disableMissing: true });
  expect(await version()).toBe(before + 2);
  await load({ campaigns: [] }, { disableMissing: true });
  expect(await version()).toBe(before + 2);
});

test('two imports at once wait for each other', async () => {
  const dataset = { eventTypes: Array.from({ length: 50 }, (_, at) => ({ name: `Event ${at}` })) };
  const both = await Promise.all([load(dataset), load(dataset)]);
  const counts = both.map(({ eventTypes }) => [eventTypes?.created, eventTypes?.unchanged]);
  expect(counts.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
    [0, 50],
    [50, 0],
  ]);
});

test('a funnel is found again by every form of its key that enquiries may send', async () => {
  const forms = ['Property-Management', 'property management', 'PROPERTYMANAGEMENT'];
  for (const key of forms) {
    const funnels = [{ key, name: 'Property Management' }];
    expect(await load({ funnels })).toMatchObject({ funnels: { created: 0 } });
  }
});

test('keys are found again whose small letters are a matter of opinion', async () => {
  const listing = { purpose: 'sale', market: 'primary', price: '1', currency: 'AED' };
  const dataset = {
    locations: [place('İzmir/ΣΑΣ', 'İzmir'), place('Cafe\u0301', 'Café', 'İzmir/ΣΑΣ')],
    developers: [{ slug: 'İnşaat', name: 'İnşaat' }],
    teams: [{ name: 'ΣΑΣ', members: [] }],
    listings: ['İST-1', 'ΣΑΣ', 'CAFE\u0301-1'].map((referenceNo) => ({ ...listing, referenceNo })),
  };
  const all = (count: 'created' | 'unchanged') => ({
    locations: { [count]: 2 },
    developers: { [count]: 1 },
    teams: { [count]: 1 },
    listings: { [count]: 3 },
  });
  expect(await load(dataset)).toMatchObject(all('created'));
  expect(await load(dataset)).toMatchObject(all('unchanged'));
});

test('dated hours of a file replace those of before', async () => {
  const hours = { agent: 'omar@agency.example', workingHours: { 'mon-sun': '20:00-02:00' } };
  const ramadan = { ...hours, from: '2027-02-18', to: '2027-03-19' };
  await load({
    agents: [{ email: 'omar@agency.example', name: 'Omar K' }],
    datedHours: [ramadan, { ...hours, from: '2027-04-01', to: '2027-04-02' }],
  });
  const counts = await load({ datedHours: [ramadan] });
  expect(counts).toEqual({ datedHours: { created: 0, updated: 0, unchanged: 1, disabled: 1 } });
  expect(await query(`select starts, working_hours from agent_dated_hours`)).toEqual([
    { starts: '2027-02-18', working_hours: { 'mon-sun': '20:00-02:00' } },
  ]);
});

test('absences and holidays of a file replace those of before; a file without them leaves them', async () => {
  const omar = (from: string) => ({ agent: 'omar@agency.example', from, to: '2027-01-31' });
  await load({
    agents: [{ email: 'omar@agency.example', name: 'Omar K' }],
    absences: [omar('2027-01-01'), omar('2027-01-02')],
    holidays: [{ name: 'New Year', from: '2027-01-01', to: '2027-01-01' }],
  });
  const counts = await load({ absences: [omar('2027-01-02'), omar('2027-01-03')] });
  expect(counts).toEqual({ absences: { created: 1, updated: 0, unchanged: 1, disabled: 1 } });
  expect(await query(`select starts from agent_absences order by starts`)).toEqual([
    { starts: '2027-01-02' },
    { starts: '2027-01-03' },
  ]);
  expect(await query(`select name from holidays`)).toEqual([{ name: 'New Year' }]);
  await load({ absences: [], holidays: [] });
  expect(
    await query(`select starts from agent_absences union all select starts from holidays`),
  ).toEqual([]);
});

test('an absence that is entered while a file replaces all of them waits, and stays', async () => {
  const absent = { from: '2027-05-01', to: '2027-05-02' };
  const agents = [{ email: 'omar@agency.example', name: 'Omar K' }];
  const omar = { agent: 'omar@agency.example', ...absent };
  await load({ agents, absences: [omar] });
  const [agent] = await query(`select id from agents where email = 'omar@agency.example'`);
  const [importing, entering] = await database.transaction(async (sql) => {
    await lockReferenceVersion(sql);
    const running = outcomeOf({ absences: [omar], campaigns: [{ name: 'Changed too' }] });
    await waitForLockWaits(database);
    const entered = { from: '2027-06-01', to: '2027-06-02', note: null };
    const added = addAbsence(database, agent?.id as string, entered);
    await Promise.race([added, waitForLockWaits(database, 2)]);
    return [running, added];
  });
  expect(await importing).toMatchObject({ kind: 'imported', losses: { absences: [] } });
  await entering;
  expect(await query(`select starts from agent_absences order by starts`)).toEqual([
    { starts: '2027-05-01' },
    { starts: '2027-06-01' },
  ]);
});

test('an earlier export of rules takes back a pool and a clock that they got since', async () => {
  const rule = { name: 'Later a pool', order: 1, target: { kind: 'pool', name: 'Weekend' } };
  await load({ pools: [{ name: 'Weekend' }], rules: [rule] });
  const before = await readRulesetEntry(database);
  const exported = await ruleSection.read(database);
  const followUp = { clock: 'working', onExpiry: 'pool', pool: 'Weekend' };
  await load({ rules: [{ ...rule, followUp }] });
  await load({ rules: exported });
  expect((await readRulesetEntry(database))?.rules).toEqual(before?.rules);
});

test.each([
  ['before it wrote its own', 'before'],
  ['after it wrote its own', 'after'],
])('an import of rules gives up where others were activated %s', async (_, moment) => {
  const rulesOf = (name: string) => ({
    rules: [{ name, order: 1, target: { kind: 'pool', name: 'Race' } }],
    pools: [{ name: 'Race' }],
  });
  await load(rulesOf(`First ${moment}`));
  const first = await readRulesetEntry(database);
  await load(rulesOf(`Second ${moment}`));
  const importOf = (name: string) => outcomeOf(rulesOf(name));
  const activateFirst = `insert into routing_activations (version, author, activated_at)
    select ${first?.version}, 'noor', now()`;
  const [third] = await database.transaction(async (sql) => {
    await lockReferenceVersion(sql);
    if (moment === 'before') await sql.query(activateFirst);
    const running = importOf(`Third ${moment}`).catch((error: unknown) => error);
    await waitForLockWaits(database);
    if (moment === 'after') await sql.query(activateFirst);
    return [running];
  });
  expect(await third).toBeInstanceOf(RulesActivatedError);
  expect(await readRulesetEntry(database)).toMatchObject({ version: first?.version });
  expect(await importOf(`Third ${moment}`)).toMatchObject({ kind: 'imported' });
});

test('an import that waits for another one says so, and gives up with a sentence of its own', async () => {
  const limits = { statementTimeoutMs: 3000, connectTimeoutMs: 60_000 };
  const hasty = await connectDatabase({ url: open.url, poolSize: 1, ...limits });
  let busy = 0;
  const importEmpty = () =>
    importDataset(hasty, { dataset: {} }, options({ onBusy: () => (busy += 1) }));
  await database.transaction(async (sql) => {
    await lockImports(sql);
    await expect(importEmpty()).rejects.toBeInstanceOf(ImportBusyError);
  });
  expect(busy).toBe(1);
  expect((await importEmpty()).kind).toBe('imported');
  await hasty.close();
});

test('a record is the same however its key is spaced, encoded and dashed', async () => {
  await load({
    sources: [{ name: 'Expo &amp; Fair', subSources: ['Booth 1'] }],
    listings: [{ referenceNo: 'EX-1', purpose: 'sale', market: 'primary' }],
  });
  const again = await load({
    sources: [{ name: ' Expo\u00a0 &\u00a0Fair', subSources: ['Booth\u00a01'] }],
    listings: [{ referenceNo: 'EX–1', purpose: 'sale', market: 'primary' }],
  });
  const unchanged = { created: 0, updated: 0 };
  expect(again).toMatchObject({ sources: unchanged, listings: unchanged });
  const names = await query(
    `select name from list_entries where name like '%Expo%' or name like 'Booth%'`,
  );
  expect(names.map(({ name }) => name)).toEqual(['Expo & Fair', 'Booth 1']);
});

test('of two records that an earlier release told apart by spaces, the one with plain ones stays', async () => {
  const keys = ['road\u00a0show', 'road show', 'road\u2003show'];
  for (const key of keys)
    await query(
      `insert into list_entries (id, list, key, name) values (gen_random_uuid(), 'campaign', $1, $1)`,
      [key],
    );
  await load({ campaigns: [{ name: 'Road Show' }] }, { disableMissing: true });
  const left = await query(
    `select key, name from list_entries where list = 'campaign' and enabled`,
  );
  expect(left).toEqual([{ key: 'road show', name: 'Road Show' }]);
});
