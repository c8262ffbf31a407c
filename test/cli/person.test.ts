import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { leadCommands } from '../../cli/lead.ts';
import { personCommands } from '../../cli/person.ts';
import { hashNumber } from '../../domain/dncr/number.ts';
import { lockNumbers } from '../../store/leads/lock-people.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import { hashContactPoint } from '../../domain/people/person-search.ts';
import { openCheck, publishAnswers, recordAnswers } from '../../store/dncr/checks.ts';
import { erasePerson, findLeftovers } from '../../store/people/erasures.ts';
import { findPerson } from '../../store/people/find-person.ts';
import { giveAnswer } from '../api/dncr/cached-answers.ts';
import { newFolder } from '../support/folder.ts';
import { newEmail, newPhone, startIntake, type TestApi } from '../support/api.ts';
import { waitForLockWaits } from '../support/lock-waits.ts';
import { leadctlFor } from './leadctl.ts';

const HOUR_MS = 3_600_000;

const registry = 'http://127.0.0.1:1/';
const api = await startIntake({
  variables: {
    DNCR_CHECK_URL: registry,
    DNCR_TOKEN_URL: registry,
    DNCR_CLIENT_ID: 'x',
    DNCR_CLIENT_SECRET: 'x',
  },
});
const { config, database, setNow, create } = api;
const variables = { DATABASE_URL: config.database.url, MIGRATE_DATABASE_URL: api.adminUrl() };
const leadctl = leadctlFor([personCommands, leadCommands], variables);
const folder = await newFolder();
afterAll(() => api.stop());

/** The rows of a table as texts, to search in. */
async function textOf(table: string): Promise<string> {
  const rows = await database.query<{ row: string }>(`select ${table}::text as row from ${table}`);
  return rows.map(({ row }) => row).join('\n');
}

const national = (phone: string) => `0${phone.slice(4)}`;

/** A person with two phones, an e-mail and two leads, the second of another client. */
async function createPerson() {
  const [phone, second, email] = [newPhone(), newPhone(), newEmail()];
  const body = { leadPhones: [phone], leadFirstName: 'Sara', initialInquiry: 'A sea view.' };
  setNow(new Date(Date.now() - 48 * HOUR_MS));
  const first = await create({ ...body, source: 'Unheard of', budgetMax: '2000000.50' });
  setNow(null);
  const other = await api.addClient({ name: 'Landing pages' });
  const comments = [{ text: 'Call me after six.', author: 'Sara' }];
  const later = await create(
    { leadPhones: [second, phone], leadLastName: 'Quill', comments },
    { client: other },
  );
  await api.update(later.id, { leadEmails: [email] }, { client: other });
  return { phone, second, email, first, later, other };
}

test.each([
  ['o&#039;brien@person.example', 'O’Brien@person.example', 'brien@person.example'],
  ['anna@münchen.example', 'anna@xn--mnchen-3ya.example', 'a@münchen.example'],
])('one who wrote %s is found and erased by %s, another one is not', async (sent, asked, other) => {
  const find = async (text: string) => (await leadctl('person', 'find', text, '--json')).json;
  const { contactId } = await create({ leadEmails: [sent] });
  await create({ leadEmails: [other] });
  expect(await find(asked)).toMatchObject([{ contactId, leads: 1 }]);
  expect((await leadctl('lead', 'find', asked, '--json')).json).toHaveLength(1);
  await leadctl('person', 'erase', asked, '--yes');
  expect([await find(sent), await find(other)]).toEqual([[], [expect.anything()]]);
});

test('one whose requests have characters that Postgres cannot read is exported and erased', async () => {
  const [broken, email] = ['a\u0000b\ud800', newEmail()];
  const split = newPhone().replace(/.{4}$/, '\u0000$&');
  const body = { leadPhones: [split], leadFirstName: broken, source: broken };
  const quiz = { quizKey: broken, answers: [{ questionKey: broken, value: broken }] };
  const { id } = await create({ ...body, quiz, [broken]: broken });
  await create({ ...body, leadEmails: [email], leadFirstName: `Late ${broken}`, comments: '' });
  const phone = split.replace('\u0000', '');
  await leadctl('person', 'find', `Late ab\ufffd`, '--json');
  const file = path.join(folder, 'broken.json');
  await leadctl('person', 'export', phone, file);
  const exported = JSON.parse(await readFile(file, 'utf8'));
  const values = exported.leads[0].values as { field: string; from: object | null }[];
  for (const name of ['leadPhones', 'leadFirstName', 'intakeUnresolved.source'])
    expect(values).toContainEqual(
      expect.objectContaining({ field: name, from: expect.objectContaining({ client: 'Shop' }) }),
    );
  await leadctl('person', 'erase', email, '--yes');
  const shown = await leadctl('lead', 'show', id, '--personal', '--json');
  expect(shown.json.mergedEnquiries).toMatchObject([{ name: null, message: null, comments: [] }]);
  expect(await textOf('submissions')).not.toContain(email);
});

describe('by a name', () => {
  test('a first name erases nobody, and a whole one nobody where two have it', async () => {
    const { id } = await create({
      leadEmails: [newEmail()],
      leadFirstName: 'Layla',
      leadLastName: 'Hadid',
    });
    await expect(leadctl('person', 'erase', 'Layla', '--yes')).rejects.toThrow(
      'This is only part of a name',
    );
    expect(await api.lead(id)).toMatchObject({ lead_first_name: 'Layla', erased_at: null });
    await create({ leadEmails: [newEmail()], leadFirstName: 'layla', leadLastName: 'HADID' });
    await expect(leadctl('person', 'erase', 'Layla Hadid', '--yes')).rejects.toThrow(
      '2 people have this name: leadctl person find NAME --personal shows',
    );
  });

  test('people are found, and exported or erased where one person alone has it', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const { id } = await create({
      leadEmails: [email],
      leadFirstName: 'Zubeida',
      leadLastName: 'Qarmat',
    });
    await create({ leadEmails: [other], leadFirstName: 'Zubeida', leadLastName: 'Nuri' });
    const find = async (...words: string[]) =>
      (await leadctl('person', 'find', ...words, '--json')).json;
    expect(await find('zub')).toHaveLength(2);
    expect(await find('Zubeida Qarmat')).toEqual([
      expect.not.objectContaining({ emails: [email] }),
    ]);
    expect(await find('qarmat', '--personal')).toMatchObject([
      { leads: 1, names: ['Zubeida Qarmat'], phones: [], emails: [email] },
    ]);
    expect(await find(other)).toHaveLength(1);
    const file = path.join(folder, 'named.json');
    await expect(leadctl('person', 'export', 'Zubeida', file)).rejects.toThrow(
      'This is only part of a name: leadctl person find NAME --personal shows',
    );
    for (const part of ['Zubeida Qar', 'Qarmat', 'Qarmat Qarmat'])
      await expect(leadctl('person', 'erase', part, '--yes')).rejects.toThrow(
        'This is only part of a name',
      );
    await expect(leadctl('person', 'erase', 'Zubeida Karim', '--yes')).rejects.toThrow(
      'nor the whole name of a person with leads',
    );
    expect(
      (await leadctl('person', 'export', 'qarmat zubeida', file, '--json')).json.leadIds,
    ).toEqual([id]);
    await leadctl('person', 'erase', 'Zubeida Qarmat', '--yes');
    expect(await find('Zubeida')).toHaveLength(1);
    expect((await leadctl('person', 'find', 'Qarmat')).text).toBe(
      'Nobody has this name, phone or e-mail.\n',
    );
  });
});

describe('leadctl person export', () => {
  test('writes all that is kept of a person, and where each value came from', async () => {
    const person = await createPerson();
    await giveAnswer(database, { phone: national(person.phone), checkedAt: new Date() });
    const check = { phones: [person.phone] };
    await api.call('POST', '/public/dncr/check', { body: check });
    const file = path.join(folder, 'person.json');
    const { json } = await leadctl('person', 'export', national(person.phone), file, '--json');
    expect(json).toMatchObject({ file, leads: 2 });
    const document = JSON.parse(await readFile(file, 'utf8'));
    expect(document.contactPoints).toEqual([
      ...[person.phone, person.second].toSorted().map((value) => ({ kind: 'phone', value })),
      { kind: 'email', value: person.email },
    ]);
    expect(document.contacts).toMatchObject([{ id: person.first.contactId, firstName: 'Sara' }]);
    const [first, later] = document.leads;
    const [created] = first.submissions;
    const from = { submissionId: created.submissionId, client: 'Shop', at: created.at };
    expect(first).toMatchObject({
      id: person.first.id,
      client: 'Shop',
      state: { assignmentStatus: 'pending', isRepeatLead: false },
    });
    expect(first.values).toEqual(
      expect.arrayContaining([
        { field: 'leadPhones', value: person.phone, from },
        { field: 'leadFirstName', value: 'Sara', from },
        { field: 'budgetMax', value: '2000000.50', from },
        { field: 'intakeUnresolved.source', value: 'Unheard of', from },
        { field: 'funnelId', value: expect.any(String), name: 'Main Sales', from: null },
      ]),
    );
    expect(created.body.initialInquiry).toBe('A sea view.');
    const [added, updated] = later.submissions;
    const origin = (field: string) =>
      later.values.find((value: { field: string }) => value.field === field).from.at;
    expect([origin('leadLastName'), origin('leadEmails')]).toEqual([added.at, updated.at]);
    expect(later.comments).toMatchObject([
      { text: 'Call me after six.', author: 'Sara', from: { client: 'Landing pages' } },
    ]);
    expect(later.webhookEvents).toMatchObject([{ type: 'lead.created', deliveries: [] }]);
    expect(document.dncr).toMatchObject({
      answers: [{ phone: national(person.phone), status: 'not_registered' }],
      checks: [{ number: national(person.phone), client: 'Shop', outcome: 'answered' }],
    });
  });

  test('names no client for a value that its request did not change', async () => {
    const [phone, other] = [newPhone(), await api.addClient({ name: 'Landing pages' })];
    const flagged = { quizKey: 'home', answers: [{ questionKey: 'note', value: 'x'.repeat(300) }] };
    setNow(new Date(Date.now() - HOUR_MS));
    const lead = await create({
      leadPhones: [phone],
      source: 'Website',
      funnel: 'Leasing',
      quiz: flagged,
    });
    await create({ leadPhones: [phone] }, { client: other });
    setNow(null);
    const update = { source: 'Bogus', funnel: 'Recruitment', marketSegment: 'luxury' };
    await api.update(lead.id, { leadPhones: [phone], ...update }, { client: other });
    const file = path.join(folder, 'two-clients.json');
    await leadctl('person', 'export', phone, file);
    const [{ values }] = JSON.parse(await readFile(file, 'utf8')).leads;
    const clients = values.map(
      ({ field, from }: { field: string; from: { client: string } | null }) => [
        field,
        from && from.client,
      ],
    );
    expect(Object.fromEntries(clients)).toEqual({
      leadPhones: 'Shop',
      sourceId: 'Shop',
      funnelId: 'Shop',
      marketSegmentId: 'Landing pages',
      'intakeUnresolved.source': 'Landing pages',
      'intakeUnresolved.quiz.home.note': 'Shop',
    });
  });

  test('gives the file to its owner alone, also in place of one that others may read', async () => {
    const [made, open] = ['new.json', 'open.json'].map((name) => path.join(folder, name));
    await writeFile(String(open), '', { mode: 0o644 });
    for (const file of [made, open].map(String)) {
      const { text: shown } = await leadctl('person', 'export', newPhone(), file);
      expect(shown).toContain(`0 leads among it, is in ${file}.`);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    await expect(
      leadctl('person', 'export', newPhone(), path.join(folder, 'no', 'such.json')),
    ).rejects.toThrow('cannot be written: no such file or directory.');
  });
});

describe('leadctl person erase', () => {
  test('shows what it would erase and whose names it is sent under, and asks, also with --json', async () => {
    const { phone, second, email, first, later } = await createPerson();
    const plan =
      `This erases all that is kept of ${[phone, second].toSorted().join(', ')}, ${email}: 2 leads, 3 submissions, 1 comment. ` +
      `Sent under 2 names: Sara (lead ${first.id}), Quill (lead ${later.id}); --lead ID takes one lead only.`;
    for (const json of [[], ['--json']])
      await expect(leadctl('person', 'erase', email, ...json)).rejects.toThrow(
        `${plan} This cannot be undone: say --yes`,
      );
    const dry = await leadctl('person', 'erase', email, '--dry-run');
    expect(dry.text).toBe(`${plan}\nNothing was erased: this is a dry run.\n`);
    expect((await leadctl('person', 'erase', email, '--dry-run', '--json')).json).toMatchObject({
      rows: { leads: 2, submissions: 3 },
      erasure: null,
    });
    expect(await api.lead(first.id)).toMatchObject({ lead_first_name: 'Sara', erased_at: null });
  });

  test('leaves leads as numbers, and a proof that names nobody', async () => {
    const { phone, second, email, first, later, other } = await createPerson();
    await giveAnswer(database, { phone: national(second), checkedAt: new Date() });
    const before = await api.lead(first.id);
    const { text } = await leadctl('person', 'erase', `00${phone.slice(1)}`, '--yes');
    expect(text).toMatch(/2 leads stay as numbers\. Proof: [0-9a-f-]{36}\.\n$/);
    const lead = await api.lead(first.id);
    expect(lead).toMatchObject({
      created_at: before.created_at,
      assignment_status: 'pending',
      lead_phones: [],
      lead_first_name: null,
      initial_inquiry: null,
      intake_unresolved: null,
      budget_max: before.budget_max,
      erased_at: expect.any(Date),
    });
    for (const table of ['contact_points', 'lead_contact_points', 'submissions', 'dncr_answers'])
      for (const value of [phone, second, email, national(second)])
        expect(await textOf(table)).not.toContain(value);
    const hashes = [phone, second].map((value) =>
      hashContactPoint({ kind: 'phone', value }, config.secretsKey).toString('hex'),
    );
    for (const hash of hashes) expect(await textOf('erasures')).toContain(hash);
    expect(await textOf('erasures')).toMatch(/person,noor,/);
    const erased = await leadctl('lead', 'show', later.id);
    expect(erased.text).toMatch(/customer +erased on \d{4}-\d\d-\d\d/);
    await expectPublicReads(later.id, other);
    const again = await leadctl('person', 'erase', phone, '--yes');
    expect(again.text).toMatch(
      /^Nothing is kept of \+\d+(?: itself)?\.\nErased \d{4}-.* Asia\/Dubai by noor: 2 leads\. Proof/,
    );
  });

  test('says which integrationRef stays, which contains the phone or email', async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const refs = [`wa-${phone.slice(1)}`, `form/${email.toUpperCase()}`, 'page-7'];
    const ids: string[] = [];
    for (const integrationRef of refs) {
      setNow(new Date(Date.now() - (100 - 30 * ids.length) * HOUR_MS));
      ids.push((await create({ leadPhones: [phone], leadEmails: [email], integrationRef })).id);
    }
    setNow(null);
    const kept = refs
      .slice(0, 2)
      .map((integrationRef, at) => ({ leadId: ids[at], integrationRef }));
    const texts = kept.map(({ leadId, integrationRef }) => `${integrationRef} of lead ${leadId}`);
    const dry = await leadctl('person', 'erase', phone, '--dry-run');
    const { text } = await leadctl('person', 'erase', phone, '--yes');
    expect(dry.text).toContain(`Stays: integrationRef ${texts.join(', ')}.`);
    expect(text).toMatch(/^Nothing else of .* is kept any more, but .*; 3 leads stay as numbers/);
    expect(text).toContain(`integrationRef ${texts.join(', ')};`);
    const again = await leadctl('person', 'erase', phone, '--yes');
    expect(again.text).toMatch(
      /^Nothing is kept of \+\d+(?: itself)?, but integrationRef wa-\d+ of lead /,
    );
    const { json } = await leadctl('person', 'erase', email, '--yes', '--json');
    expect(json.references).toEqual(kept.slice(1));
  });

  /** The state is read and a response recorded as before; new details have nobody to belong to. */
  async function expectPublicReads(
    leadId: string,
    client: Awaited<ReturnType<TestApi['addClient']>>,
  ) {
    const call = (method: string, rest: string, body?: object) =>
      api.call(method, `/public/leads/${leadId}${rest}`, { client, body });
    expect(await call('GET', '/assignment')).toMatchObject({
      status: 200,
      body: { leadId, status: 'pending', agent: null },
    });
    expect((await call('POST', '/response-time', { seconds: 5 })).status).toBe(200);
    const updated = await call('PUT', '', { leadPhones: [newPhone()], initialInquiry: 'More.' });
    expect(updated).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', message: expect.stringContaining('was erased') },
    });
    expect(await api.lead(leadId)).toMatchObject({ lead_phones: [], initial_inquiry: null });
  }

  test('ends the merge window: the next enquiry of the phone is a new lead of a new contact', async () => {
    const { phone, first, later } = await createPerson();
    await leadctl('person', 'erase', phone, '--yes');
    expect(await create({ leadPhones: [phone] })).toMatchObject({
      merged: false,
      isRepeatLead: false,
      contactId: expect.not.stringMatching(first.contactId),
      id: expect.not.stringMatching(later.id),
    });
  });

  test('removes a phone that only DNCR checks and the list of outside agents know', async () => {
    const phone = newPhone();
    await giveAnswer(database, { phone: national(phone), checkedAt: new Date() });
    await database.query(`insert into known_agents values ('phone', $1)`, [phone]);
    await api.call('POST', '/public/dncr/check', { body: { phones: [phone] } });
    const { json } = await leadctl('person', 'erase', phone, '--yes', '--json');
    expect(json).toMatchObject({ rows: { known_agents: 1, dncr_answers: 1 }, isVacuumed: true });
    expect(await textOf('known_agents')).not.toContain(phone);
    const hash = hashNumber(national(phone), config.secretsKey).toString('hex');
    expect(await textOf('dncr_checks')).toContain(hash);
  });

  test('finds what a lead holds again after it was erased, however many proofs there are', async () => {
    const { phone, later } = await createPerson();
    await leadctl('person', 'erase', phone, '--yes');
    const { erased_at: startedAt } = (await api.lead(later.id)) as { erased_at: Date };
    await database.query(`update leads set lead_first_name = 'Sara' where id = $1`, [later.id]);
    const earlier = Array.from({ length: 40_000 }, (_, at) => {
      const date = new Date(at * HOUR_MS);
      return { startedAt: date, finishedAt: date };
    });
    const proofs = [...earlier, { startedAt, finishedAt: null }];
    const found = await findLeftovers(database, proofs, startedAt);
    expect(found).toMatchObject({
      leadIds: expect.arrayContaining([later.id]),
      rows: { leads: 1 },
    });
    expect(await findLeftovers(database, [], startedAt)).toEqual({ leadIds: [], rows: {} });
  });

  test('says what to run where the role may not vacuum', async () => {
    const asService = leadctlFor([personCommands], { DATABASE_URL: config.database.url });
    const { phone } = await createPerson();
    const { text } = await asService('person', 'erase', phone, '--yes');
    expect(text).toContain('as their owner:\n  vacuum (index_cleanup on, analyze) leads, ');
  });
});

describe('a text that is neither a phone nor an e-mail', () => {
  const names = [
    '',
    '  ',
    '\u200f',
    'Layla Haddad',
    '98bfb2d2',
    '050',
    '1234 56',
    '98bfb2d2-41f2-4a4e-9b2c-3f5a1e6d7c80',
  ];

  test.each(names)('is refused where nothing is kept under it: %j', async (text) => {
    const refusal =
      'This is neither a phone nor an e-mail, nor the whole name of a person with leads: leadctl lead find ID --personal';
    await expect(leadctl('person', 'erase', text, '--yes')).rejects.toThrow(refusal);
    const file = path.join(folder, 'nobody.json');
    await expect(leadctl('person', 'export', text, file)).rejects.toThrow(refusal);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('names the leads whose phone was sent so, each to be taken by its id, and the proof afterwards', async () => {
    const [{ id }, other] = [
      await create({ leadPhones: ['n/a'] }),
      await create({ leadPhones: ['N/A'] }),
    ];
    const file = path.join(folder, 'odd.json');
    const { json } = await leadctl('person', 'export', 'N/A', file, '--json');
    expect(json).toMatchObject({ leads: 0, near: [{ sent: 'N/A' }, { leadId: id, sent: 'n/a' }] });
    const one = ['--lead', id];
    expect((await leadctl('person', 'export', 'N/A', file, ...one, '--json')).json.leads).toBe(1);
    expect((await leadctl('person', 'erase', 'N/A', ...one, '--yes')).text).toContain(
      '1 lead stays as a number',
    );
    expect((await leadctl('person', 'erase', 'N/A', '--yes')).text).toMatch(
      new RegExp(
        `^Nothing is kept of N/A itself\\.\nErased .*\nSimilar texts; .*\n  N/A  lead ${other.id}\n$`,
      ),
    );
    await leadctl('person', 'erase', 'N/A', '--lead', other.id, '--yes');
    expect((await leadctl('person', 'erase', 'N/A', '--yes')).text).toMatch(
      /^Nothing is kept of N\/A\.\nErased .*\nErased .*\n$/,
    );
  });

  test('is near a phone that was sent in the digits of any script', async () => {
    const sent = '०५८ ९३७ १२६४';
    const { id } = await create({ leadPhones: [sent] });
    const { json } = await leadctl('person', 'erase', '0589371265', '--yes', '--json');
    expect(json).toMatchObject({ near: [{ leadId: id, sent }] });
  });

  test.each([
    '050 123 4567 ext 5',
    '0501234567x5',
    'tel:+971-50-1234567',
    '٠٥٠١٢٣٤٥٦٧',
    '०५०१२३४५६७',
    'a@b',
  ])('is not %j', async (text) => {
    expect((await leadctl('person', 'erase', text)).text).toMatch(/^Nothing is kept of /);
  });
});

describe('a DNCR check that runs while its number is erased', () => {
  const checkOf = async (phone: string) => {
    const [client] = await database.query<{ id: string }>('select id from oauth_clients limit 1');
    const [id, now] = [randomUUID(), new Date()];
    await openCheck(database, {
      id,
      clientId: client?.id ?? '',
      now,
      fresh: false,
      phones: [phone],
      invalid: 0,
      freshSince: now,
      leaseUntil: new Date(now.getTime() + HOUR_MS),
      numberHashes: [hashNumber(phone, config.secretsKey)],
    });
    return id;
  };
  const answer = (checkId: string, phone: string) =>
    recordAnswers(database, checkId, {
      answers: new Map([
        [phone, { status: 'registered', dncrStatus: 'TRUE', registryStatus: null }],
      ]),
      checkedAt: new Date(),
      transactionId: 'given',
    });

  async function expectNothingOf(phone: string) {
    for (const table of ['dncr_answers', 'dncr_check_numbers', 'dncr_leases'])
      expect(await textOf(table)).not.toContain(phone);
  }

  test('leaves no answer that arrives after it', async () => {
    const { phone } = await createPerson();
    const checkId = await checkOf(national(phone));
    await leadctl('person', 'erase', phone, '--yes');
    await answer(checkId, national(phone));
    await publishAnswers(database, checkId);
    await expectNothingOf(national(phone));
  });

  test('leaves no answer that it is publishing', async () => {
    const { phone } = await createPerson();
    const checkId = await checkOf(national(phone));
    await answer(checkId, national(phone));
    const both = await database.transaction(async (sql) => {
      await sql.query('select from dncr_leases where check_id = $1 for update', [checkId]);
      const publishing = publishAnswers(database, checkId);
      await waitForLockWaits(database, 1);
      const erasing = leadctl('person', 'erase', phone, '--yes');
      await waitForLockWaits(database, 2);
      return { publishing, erasing };
    });
    await Promise.all([both.publishing, both.erasing]);
    await expectNothingOf(national(phone));
  });
});

describe('while a person is being erased', () => {
  /** A transaction that holds what the statement locks. */
  async function hold(statement: string, value: unknown): Promise<pg.Client> {
    const holder = new pg.Client({ connectionString: config.database.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query(statement, [value]);
    return holder;
  }

  const holdLead = (leadId: string) =>
    hold('select from leads where id = $1 for no key update', leadId);
  const holdPhone = (phone: string) =>
    hold('select pg_advisory_xact_lock($1)', lockNumbers([`phone:${phone}`])[0]);

  async function release(holder: pg.Client, end: 'commit' | 'rollback' = 'rollback') {
    await holder.query(end);
    await holder.end();
  }

  test('an enquiry of the same phone waits and becomes a new lead, not part of the erased one', async () => {
    const { phone, later } = await createPerson();
    const holder = await holdLead(later.id);
    const erasing = leadctl('person', 'erase', phone, '--yes');
    await waitForLockWaits(database, 1);
    const creating = create({ leadPhones: [phone], leadFirstName: 'Sara again' });
    await waitForLockWaits(database, 2);
    await release(holder);
    await erasing;
    const created = await creating;
    expect(created).toMatchObject({ merged: false });
    expect([later.contactId]).not.toContain(created.contactId);
    expect(await api.lead(created.id)).toMatchObject({ lead_first_name: 'Sara again' });
    expect(await textOf('contact_points')).toContain(phone);
  });

  test('an enquiry that is committed while the person is looked up is found with its contact or not at all', async () => {
    const [asked, id] = [{ kind: 'phone', value: newPhone() } as const, randomUUID()];
    const looking = await database.transaction(async (sql) => {
      await sql.query('lock table leads in access exclusive mode');
      const begun = findPerson(database, [asked]);
      await waitForLockWaits(database, 1);
      await sql.query('insert into contacts (id, created_at) values ($1, now())', [id]);
      await sql.query(
        `insert into leads (id, contact_id, client_id, created_at, updated_at, funnel_id, merge_window_ends_at, assignment_status)
         select $1, $1, c.id, now(), now(), f.id, now(), 'pending' from oauth_clients c, funnels f limit 1`,
        [id],
      );
      await sql.query(
        `with held as (insert into contact_points (kind, value, contact_id) values ($1, $2, $3))
         insert into lead_contact_points (kind, value, lead_id, founding, mergeable) values ($1, $2, $3, true, true)`,
        [asked.kind, asked.value, id],
      );
      return { begun };
    });
    expect(await looking.begun).toMatchObject({ contactIds: [], leads: [] });
    expect(await findPerson(database, [asked])).toMatchObject({
      contactIds: [id],
      leads: [{ id, isShared: false }],
    });
  });

  test('an enquiry that comes after the last of the leads is erased stays', async () => {
    const { phone } = await createPerson();
    const asked: ContactPoint = { kind: 'phone', value: phone };
    const person = await findPerson(database, [asked]);
    await leadctl('person', 'erase', phone, '--yes');
    const created = await create({ leadPhones: [phone], leadFirstName: 'Sara again' });
    const { contactPoints } = person;
    const scope = { shared: false, leads: [] };
    const plan = { person, contactPoints, ofOthers: [], leftovers: [], scope };
    await erasePerson(database, plan, {
      asked: [asked],
      id: randomUUID(),
      author: 'noor',
      now: new Date(),
      hashesOf: () => [],
      onErased: () => undefined,
    });
    expect(await api.lead(created.id)).toMatchObject({ lead_first_name: 'Sara again' });
  });

  test('a phone that an update brings first goes too, once nobody else is at work on it', async () => {
    const { phone, later } = await createPerson();
    const added = newPhone();
    const [enquiry, holder] = [await holdPhone(added), await holdLead(later.id)];
    const erasing = leadctl('person', 'erase', phone, '--yes');
    await waitForLockWaits(database, 1);
    await holder.query(
      `insert into contact_points (kind, value, contact_id) values ('phone', $1, $2)`,
      [added, later.contactId],
    );
    await release(holder, 'commit');
    await waitForLockWaits(database, 1);
    expect(await api.lead(later.id)).toMatchObject({ erased_at: null });
    await release(enquiry);
    await erasing;
    expect(await textOf('contact_points')).not.toContain(added);
  });
});
