import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Option } from 'commander';
import pg from 'pg';
import { insertOperatorText } from '../../store/assignment/hand-overs.ts';
import { personalData } from '../../store/people/personal-columns.ts';
import { examples, loadCommands } from '../../cli/commands.ts';
import { leadctlFor } from '../cli/leadctl.ts';
import { startCommandService } from '../cli/service.ts';
import { asAdmin, createTestDatabase } from '../support/database.ts';
import { newFolder } from '../support/folder.ts';
import { otherColumns } from '../store/people/other-columns.ts';
import { waitForLockWaits } from '../support/lock-waits.ts';
import { activateRules, makeAgents, makePool, makeTeam } from '../support/routing.ts';
import { createSentinels } from '../support/sentinels.ts';
import { typedPlaces, wordsOf, type TypedPlace } from '../support/typed-places.ts';
import { readWholeDatabase, readWholeTemporal } from '../support/whole-store.ts';

/** Words about a lead: they are kept in one table, and the erasure of its person deletes them. */
const ABOUT_A_LEAD = [
  'agent release --reason',
  'lead assign --reason',
  'lead reroute --reason',
  'lead pool --reason',
  'lead note <note>',
];

/** Words about a record of the business, by the table that keeps them. None of the tables leads to a lead. */
const ABOUT_THE_BUSINESS: Readonly<Record<string, string>> = {
  // What an integration is called, and what it may do.
  'client create --name': 'oauth_clients',
  'client create --client-id': 'oauth_clients',
  'client create --scope': 'oauth_clients',
  // An integrator's server, and why it is switched off.
  'webhook add --url': 'webhook_endpoints',
  'webhook add --alerts': 'webhook_endpoints',
  'webhook edit --url': 'webhook_endpoints',
  'webhook disable --reason': 'webhook_endpoints',
  // Why an agent is away, shown in their calendar.
  'agent absent --note': 'agent_absences',
};

/** What no table keeps, whatever the command: the name of an argument or option. */
const NOT_KEPT: Readonly<Record<string, readonly string[]>> = {
  'they name a record that is there, or are refused': [
    '<clientId>',
    '<endpointId>',
    '[id]',
    '<agent>',
    '<lead>',
    '[agent]',
    '<text>',
    '[text]',
    '<number>',
    '--client',
    '--endpoint',
    '--lead',
    '--event',
    '--agent',
    '--team',
    '--pool',
    '--release',
    '--source',
    '--rule',
    '--run',
    '--query',
  ],
  'they are of a fixed form, which the command checks': [
    '--events',
    '--from',
    '--to',
    '[hours]',
    '--request-id',
  ],
  'they name a file on the operator’s machine': ['<file>', '[file]', '<file|version>', '<dir>'],
};

const commandGroups = await loadCommands();
const places = typedPlaces(commandGroups);
const sentinels = createSentinels({});
const folder = newFolder();

const own = await createTestDatabase();
const service = await startCommandService(own.url);
const { api, actions } = service;
const leadctl = leadctlFor(commandGroups, {
  ...service.variables,
  MIGRATE_DATABASE_URL: own.adminUrl,
});
const agents = await makeAgents(api.database, 2);
const teamId = await makeTeam(api.database, agents);
await activateRules(api.database, [{ name: 'Sales', target: { kind: 'team', teamId } }]);
await makePool(api.database, 'Night Pool');
const [first, second] = agents;
const sara = { email: first?.email ?? '' };
const phone = sentinels.phone('the person');
const leadId = await actions.create({ leadPhones: [phone], assignedBy: sara.email });
await actions.becomes(leadId, 'assigned');
await actions.create(); // of somebody who stays
const { clientId } = api.client;
const url = 'https://hooks.example/leads';
const { json } = await leadctl('webhook', 'add', '--client', clientId, '--url', url, '--json');
/** What a command needs beside the text that is typed, by argument and by option. */
const needed: Record<string, string> = {
  clientId,
  endpointId: json.endpointId,
  agent: sara.email,
  text: leadId,
  lead: leadId,
  dir: path.join(folder, 'histories'),
  file: path.join(folder, 'needed.json'),
  '--client': clientId,
  '--agent': second?.email ?? '',
  '--pool': 'Night Pool',
  '--name': 'Some integration',
};
afterAll(async () => {
  await service.stop();
  await own.drop();
});

const WITH: Readonly<Record<string, readonly string[]>> = {
  'agent absent': ['--from', '2099-01-01', '--to', '2099-01-02'],
  'agent release': ['--yes'],
  'agent deactivate': ['--yes'],
  'client deactivate': ['--yes'],
  'webhook disable': ['--yes'],
  'person erase': ['--yes'],
};

const asPath = (word: string) => path.join(folder, word);
const asUrl = (word: string) => `https://hooks.example/${word}`;
const FORMS: Readonly<Record<string, (word: string) => string>> = {
  file: asPath,
  dir: asPath,
  '--url': asUrl,
  '--alerts': asUrl,
};

/** Types a new word there, and whatever the command needs elsewhere. */
async function type({ name, path: command, takes, before, mandatory }: TypedPlace): Promise<void> {
  if (['agent release --reason', 'lead assign --reason'].includes(name))
    await leadctl('lead', 'assign', leadId, '--agent', sara.email);
  const key = takes instanceof Option ? (takes.long ?? '') : takes.name();
  const typed = (FORMS[key] ?? String)(sentinels.word(name));
  const isOption = takes instanceof Option;
  const given = before.map((argument) => needed[argument.name()] ?? wordsOf(argument));
  const options = mandatory.flatMap(({ long = '' }) => [long, needed[long] ?? long]);
  const others = (WITH[command.join(' ')] ?? []).filter((word) => word !== key);
  const one = /^lead (assign|pool|reroute) --reason$/.test(name) ? [leadId] : [];
  const words = isOption ? [...given, ...one, key, typed] : [...given, typed];
  await leadctl(...command, ...words, ...options, ...others, '--json');
}

/** A webhook of the lead names the endpoint. */
const aboutPersons = (text: string) =>
  sentinels.writtenIn(text).filter((name) => !(name in ABOUT_THE_BUSINESS));

const isKept = (name: string) => ABOUT_A_LEAD.includes(name) || name in ABOUT_THE_BUSINESS;

/** The tables that hold a word, by where it was typed. */
async function keptIn(): Promise<Record<string, string[]>> {
  const tables = Object.entries(await readWholeDatabase(own.adminUrl));
  const found: Record<string, string[]> = {};
  for (const [table, rows] of tables.filter(([name]) => name !== 'pg_stats'))
    for (const name of sentinels.writtenIn(rows)) (found[name] ??= []).push(table);
  delete found['the person'];
  return found;
}

describe('what an operator types', () => {
  test('is decided for every argument and option of every command', () => {
    const notKept = new Set(Object.values(NOT_KEPT).flat());
    const others = places.map(({ name }) => name).filter((name) => !isKept(name));
    expect(others.filter((name) => !notKept.has(name.split(' ').at(-1) ?? ''))).toEqual([]);
    const kept = [...ABOUT_A_LEAD, ...Object.keys(ABOUT_THE_BUSINESS)];
    expect(places.map(({ name }) => name)).toEqual(expect.arrayContaining(kept));
  });

  test('where it is kept has an example', () => {
    const kept = places.filter(({ name }) => isKept(name));
    for (const { path } of kept) expect(examples).toHaveProperty([path.join(' ')]);
  });

  test('about a lead is in one table, about the business in tables that lead to no lead, else nowhere', async () => {
    for (const place of places) {
      const typing = type(place);
      if (isKept(place.name)) await typing;
      else await typing.catch(() => undefined);
    }
    expect(await keptIn()).toEqual({
      ...Object.fromEntries(ABOUT_A_LEAD.map((name) => [name, ['operator_texts']])),
      ...Object.fromEntries(Object.entries(ABOUT_THE_BUSINESS).map(([name, to]) => [name, [to]])),
    });
    for (const table of Object.values(ABOUT_THE_BUSINESS)) {
      expect(personalData).not.toHaveProperty(table);
      expect(otherColumns[table]).not.toContain('lead_id');
    }
  });

  test('is kept as well where the request moves no lead', async () => {
    await leadctl('lead', 'assign', leadId, '--agent', sara.email);
    for (const times of ['moved', 'there already']) {
      const reason = sentinels.word(`lead pool, ${times}`);
      await leadctl('lead', 'pool', leadId, '--pool', 'Night Pool', '--reason', reason);
    }
    expect(Object.keys(await keptIn())).toEqual(
      expect.arrayContaining(['lead pool, moved', 'lead pool, there already']),
    );
  });

  test('about a lead is exported with its person, and shown with the lead', async () => {
    const file = path.join(folder, 'person.json');
    await leadctl('person', 'export', phone, file);
    const exported = aboutPersons(await readFile(file, 'utf8'));
    const about = [...ABOUT_A_LEAD, 'lead pool, moved', 'lead pool, there already'];
    expect(exported.toSorted()).toEqual([...about, 'the person'].toSorted());
    for (const form of [[], ['--json']]) {
      const shown = aboutPersons((await leadctl('lead', 'show', leadId, ...form)).text);
      expect(shown).toEqual(expect.arrayContaining([...ABOUT_A_LEAD, 'lead pool, moved']));
      expect(shown).not.toContain('lead pool, there already');
    }
  });

  test('about a lead is nowhere once the person is erased', async () => {
    await asAdmin(own.url, 'analyze');
    const { json } = await leadctl('person', 'erase', phone, '--yes', '--json');
    expect(json).toMatchObject({ erasure: { leads: 1 }, isVacuumed: true });
    // Only the commands about one lead: the reason of a release is kept, for the other leads that it moves.
    const ofOneLead = ABOUT_A_LEAD.filter((name) => name.startsWith('lead '));
    for (const place of places.filter(({ name }) => ofOneLead.includes(name))) {
      const typing = type(place);
      if (place.name === 'lead note <note>') await expect(typing).rejects.toThrow('was erased');
      else await typing;
    }
    expect(Object.keys(await keptIn()).toSorted()).toEqual(
      Object.keys(ABOUT_THE_BUSINESS).toSorted(),
    );
    const { pg_stats: samples = '' } = await readWholeDatabase(own.adminUrl);
    const { text } = await leadctl('lead', 'show', leadId, '--json');
    const runs = (await readWholeTemporal(service.temporal.client)).join('\n');
    for (const all of [samples, text]) expect(aboutPersons(all)).toEqual([]);
    expect(sentinels.writtenIn(runs)).toEqual([]);
  });
});

test('a text that is written while its lead is being erased is not kept', async () => {
  const id = await actions.create();
  await actions.becomes(id, 'assigned'); // no activity waits for the lead's lock as well
  const eraser = new pg.Client({ connectionString: own.url });
  await eraser.connect();
  await eraser.query('begin');
  await eraser.query('select from leads where id = $1 for no key update', [id]);
  const facts = { handOverId: null, author: 'noor', text: 'asked for it', now: new Date() };
  const written = insertOperatorText(api.database, { id: randomUUID(), leadId: id, ...facts });
  await waitForLockWaits(api.database);
  await eraser.query('update leads set erased_at = now() where id = $1', [id]);
  await eraser.query('commit');
  await eraser.end();
  await written;
  const texts = await api.database.query('select from operator_texts where lead_id = $1', [id]);
  expect(texts).toEqual([]);
});
