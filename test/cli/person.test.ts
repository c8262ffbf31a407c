import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { leadCommands } from '../../cli/lead.ts';
import { personCommands } from '../../cli/person.ts';
import { hashNumber } from '../../domain/dncr/number.ts';
import { lockNumbers } from '../../store/leads/intake-facts.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import { hashIdentity } from '../../domain/people/person-points.ts';
import { openCheck, publishAnswers, recordAnswers } from '../../store/dncr/checks.ts';
import { erasePerson } from '../../store/people/erasures.ts';
import { toCamelCase } from '../../domain/leads/fields.ts';
import { SNAPSHOT } from '../../store/db/database.ts';
import { findPerson } from '../../store/people/read-person.ts';
import { giveAnswer } from '../api/dncr/cached-answers.ts';
import { personalData } from '../../store/people/personal-columns.ts';
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

type Created = Awaited<ReturnType<typeof create>>;

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

test('one whose requests have characters that Postgres cannot read is exported and erased', async () => {
  const [broken, email] = ['a\u0000b\ud800', newEmail()];
  const split = newPhone().replace(/.{4}$/, '\u0000$&');
  const body = { leadPhones: [split], leadFirstName: broken, source: broken };
  const quiz = { quizKey: broken, answers: [{ questionKey: broken, value: broken }] };
  const { id } = await create({ ...body, quiz, [broken]: broken });
  await create({ ...body, leadEmails: [email], leadFirstName: `Late ${broken}`, comments: '' });
  const phone = split.replace('\u0000', '');
  const file = path.join(folder, 'broken.json');
  await leadctl('person', 'export', phone, file);
  const exported = JSON.parse(await readFile(file, 'utf8'));
  expect(exported.leads[0]).toMatchObject({ leadPhones: [split.replace('\u0000', '')] });
  await leadctl('person', 'erase', email, '--yes');
  const shown = await leadctl('lead', 'show', id, '--personal', '--json');
  expect(shown.json.mergedEnquiries).toMatchObject([{ name: null, message: null, comments: [] }]);
  expect(await textOf('submissions')).not.toContain(email);
});

describe('by an id', () => {
  const find = async (...words: string[]) =>
    (await leadctl('person', 'find', ...words, '--json')).json;

  test.each([
    ['of a lead', (lead: Created) => lead.id],
    ['of a contact', (lead: Created) => lead.contactId],
    ['that begins so', (lead: Created) => lead.id.slice(0, 13)],
  ])('%s the contact with all its leads is found', async (_of, idOf) => {
    const { phone, email, first, later } = await createPerson();
    expect(await find(idOf(first))).toEqual([expect.objectContaining({ leads: 2 })]);
    expect(await find(idOf(later), '--personal')).toMatchObject([
      { contactId: first.contactId, names: ['Quill', 'Sara'], emails: [email] },
    ]);
    const { json } = await leadctl('person', 'erase', idOf(first), '--yes', '--json');
    expect(json).toMatchObject({ leadIds: [first.id, later.id], erasure: { leads: 2 } });
    expect(await find(phone)).toEqual([]);
  });

  test('a lead without a usable phone or email is exported and erased, and its record found', async () => {
    const [lead, other] = [
      await create({ leadPhones: ['n/a'], leadFirstName: 'Sara' }),
      await create({ leadPhones: ['N/A'] }),
    ];
    const file = path.join(folder, 'odd.json');
    expect((await leadctl('person', 'export', lead.id, file, '--json')).json.leads).toBe(1);
    await leadctl('person', 'erase', lead.id, '--yes');
    expect(await api.lead(lead.id)).toMatchObject({ lead_phones: [], lead_first_name: null });
    expect(await api.lead(other.id)).toMatchObject({ lead_phones: ['N/A'] });
    expect((await leadctl('person', 'erase', lead.id, '--yes')).text).toMatch(
      /^No personal data of .* is stored\.\nErased \d{4}-.* by noor: 1 lead anonymised\./,
    );
  });

  test('is refused if no contact and no lead has it, or several begin so', async () => {
    const refused = async (text: string) => {
      await expect(leadctl('person', 'find', text)).rejects.toThrow(/have an id|has this id/);
      await expect(leadctl('person', 'erase', text, '--yes')).rejects.toThrow(
        /have an id|has this id/,
      );
    };
    await refused(randomUUID());
    await database.query(
      `insert into contacts (id, created_at) values ('abcdef01-0000-4000-8000-000000000001', now()),
         ('abcdef01-0000-4000-8000-000000000002', now())`,
    );
    await refused('abcdef01');
  });
});

describe('leadctl person export', () => {
  test('writes all that is stored of a person', async () => {
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
    const client = expect.objectContaining({ name: 'Shop' });
    expect(first).toMatchObject({
      id: person.first.id,
      clientId: client,
      leadPhones: [person.phone],
      leadFirstName: 'Sara',
      budgetMax: 2000000.5,
      intakeUnresolved: { source: 'Unheard of' },
      funnelId: { id: expect.any(String), name: 'Main Sales' },
      assignmentStatus: 'pending',
      isRepeatLead: false,
    });
    expect(first.submissions).toMatchObject([
      { clientId: client, kind: 'create', body: { initialInquiry: 'A sea view.' } },
    ]);
    expect(await readFile(file, 'utf8')).toMatch(/"budgetMax": 2000000\.50,/);
    expect(later.submissions).toMatchObject([{ kind: 'create' }, { kind: 'update' }]);
    expect(later.comments).toMatchObject([
      { text: 'Call me after six.', author: 'Sara', submissionId: later.submissions[0].id },
    ]);
    expect(later.webhookEvents).toMatchObject([{ type: 'lead.created', deliveries: [] }]);
    expect(document).toMatchObject({
      dncrAnswers: [{ phone: national(person.phone), status: 'not_registered' }],
      dncrChecks: [{ number: national(person.phone), client: 'Shop', outcome: 'answered' }],
      leadsOfOthers: [],
      erasures: [],
    });
  });

  test('has the rows of every table with personal data', async () => {
    const { phone } = await createPerson();
    const file = path.join(folder, 'tables.json');
    await leadctl('person', 'export', phone, file);
    const document = JSON.parse(await readFile(file, 'utf8'));
    const keys = [...Object.keys(document), ...Object.keys(document.leads[0])];
    const owned = Object.entries(personalData).filter(([, { owner }]) => owner !== null);
    for (const [table] of owned) expect(keys).toContain(toCamelCase(table));
  });

  test('gives the file to its owner alone, also in place of one that others may read', async () => {
    const [made, open] = ['new.json', 'open.json'].map((name) => path.join(folder, name));
    await writeFile(String(open), '', { mode: 0o644 });
    for (const file of [made, open].map(String)) {
      const { text: shown } = await leadctl('person', 'export', newPhone(), file);
      expect(shown).toContain(` to ${file}: 0 leads.`);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    await expect(
      leadctl('person', 'export', newPhone(), path.join(folder, 'no', 'such.json')),
    ).rejects.toThrow('cannot be written: no such file or directory.');
  });
});

describe('leadctl person erase', () => {
  test('shows what it would erase and whose names it is sent under, and asks, also with --json', async () => {
    const { phone, second, email, first } = await createPerson();
    const plan =
      `This erases the personal data of ${[phone, second].toSorted().join(', ')}, ${email}: 2 leads, 3 submissions, 1 comment. ` +
      `Sent as Sara, Quill.`;
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
    expect(text).toMatch(/: 2 leads anonymised\. Erasure record: [0-9a-f-]{36}\.\n$/);
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
      hashIdentity({ kind: 'phone', value }, config.secretsKey).toString('hex'),
    );
    for (const hash of hashes) expect(await textOf('erasures')).toContain(hash);
    expect(await textOf('erasures')).toMatch(/person,noor,/);
    const erased = await leadctl('lead', 'show', later.id);
    expect(erased.text).toMatch(/customer +erased on \d{4}-\d\d-\d\d/);
    await expectPublicReads(later.id, other);
    const again = await leadctl('person', 'erase', phone, '--yes');
    expect(again.text).toMatch(
      /^No personal data of \+\d+ is stored\.\nErased \d{4}-.* Asia\/Dubai by noor: 2 leads anonymised\./,
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
    const texts = kept.map(
      ({ leadId, integrationRef }) => `integrationRef ${integrationRef} of lead ${leadId}`,
    );
    const dry = await leadctl('person', 'erase', phone, '--dry-run');
    const { text } = await leadctl('person', 'erase', phone, '--yes');
    expect(dry.text).toContain(`Kept: ${texts.join(', ')}.`);
    expect(text).toMatch(/^Erased the personal data of .*: 3 leads anonymised\./);
    expect(text).toContain(`\nKept: ${texts.join(', ')}.\n`);
    const again = await leadctl('person', 'erase', phone, '--yes');
    expect(again.text).toMatch(
      /^No personal data of \+\d+ is stored\.\nKept: integrationRef wa-\d+ of lead /,
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

  test('erases what a lead has again after it was erased, without counting it twice', async () => {
    const { phone, later } = await createPerson();
    await leadctl('person', 'erase', phone, '--yes');
    const { erased_at: erasedAt } = await api.lead(later.id);
    await database.query(`update leads set lead_first_name = 'Sara' where id = $1`, [later.id]);
    await database.query(
      `insert into comments (id, lead_id, submission_id, client_id, text, occurred_at, position)
       select gen_random_uuid(), lead_id, id, client_id, 'Sara called', now(), 0 from submissions where lead_id = $1 limit 1`,
      [later.id],
    );
    const { json } = await leadctl('person', 'erase', later.id, '--yes', '--json');
    expect(json).toMatchObject({ rows: { leads: 1, comments: 1 }, erasure: { leads: 0 } });
    expect(json.rows).not.toHaveProperty('submissions');
    expect(await api.lead(later.id)).toMatchObject({ lead_first_name: null, erased_at: erasedAt });
    expect((await leadctl('person', 'erase', later.id)).text).toMatch(
      /^No personal data of .*\nErased .*\nErased /,
    );
  });

  test('says what to run where the role may not vacuum', async () => {
    const asService = leadctlFor([personCommands], { DATABASE_URL: config.database.url });
    const { phone } = await createPerson();
    const { text } = await asService('person', 'erase', phone, '--yes');
    expect(text).toContain('as their owner:\n  vacuum (index_cleanup on, analyze) leads, ');
  });
});

describe('a text by which no customer can be found', () => {
  test.each(['', 'Layla Haddad', '050', '8 (495) 121-43-75'])('is refused: %j', async (text) => {
    const refusal =
      /not a phone that can be read in one way, an email, or the id[^]*leadctl lead find/;
    await expect(leadctl('person', 'find', text)).rejects.toThrow(refusal);
    await expect(leadctl('person', 'erase', text, '--yes')).rejects.toThrow(refusal);
    const file = path.join(folder, 'nobody.json');
    await expect(leadctl('person', 'export', text, file)).rejects.toThrow(refusal);
    await expect(stat(file)).rejects.toThrow('ENOENT');
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

  const lookUp = (asked: ContactPoint) =>
    database.transaction((sql) => findPerson(sql, { contactPoints: [asked], ids: null }), SNAPSHOT);

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
      const begun = lookUp(asked);
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
    expect(await looking.begun).toMatchObject({ contactIds: [], leadIds: [] });
    expect(await lookUp(asked)).toMatchObject({ contactIds: [id], leadIds: [id] });
  });

  test('an enquiry that comes after the last of the leads is erased stays', async () => {
    const { phone } = await createPerson();
    const asked: ContactPoint = { kind: 'phone', value: phone };
    const person = await lookUp(asked);
    await leadctl('person', 'erase', phone, '--yes');
    const created = await create({ leadPhones: [phone], leadFirstName: 'Sara again' });
    await erasePerson(database, person, {
      id: randomUUID(),
      author: 'noor',
      now: new Date(),
      hashes: [],
      hashesOf: () => [],
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
