import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { personCommands } from '../../cli/person.ts';
import { webhookCommands } from '../../cli/webhook.ts';
import { readContactPoints, type ContactPoint } from '../../domain/leads/contact-points.ts';
import { hashContactPoint } from '../../domain/people/person-search.ts';
import { eraseLead } from '../../store/people/erase-lead.ts';
import { erasePerson } from '../../store/people/erasures.ts';
import { findPerson } from '../../store/people/find-person.ts';
import { applyScope } from '../../store/people/person-scope.ts';
import { giveAnswer } from '../api/dncr/cached-answers.ts';
import { newFolder } from '../support/folder.ts';
import { newEmail, newPhone, startIntake } from '../support/api.ts';
import { leadctlFor } from './leadctl.ts';

const HOUR_MS = 3_600_000;

const api = await startIntake();
const { database, create, setNow } = api;
const variables = { DATABASE_URL: api.config.database.url, MIGRATE_DATABASE_URL: api.adminUrl() };
const leadctl = leadctlFor([personCommands, webhookCommands], variables);
const folder = await newFolder();
afterAll(() => api.stop());

const national = (phone: string) => `0${phone.slice(4)}`;

let files = 0;
/** The document that an export writes, and what the command prints. */
async function exportOf(text: string, ...options: string[]) {
  const file = path.join(folder, `${(files += 1)}.json`);
  const shown = await leadctl('person', 'export', text, file, ...options);
  return { ...shown, document: JSON.parse(await readFile(file, 'utf8')) };
}

const answersTo = (number: string) =>
  database.query(`select from dncr_answers where phone = $1`, [number]);

const leadIdsOf = ({ document }: { document: { leads: { id: string }[] } }) =>
  document.leads.map(({ id }) => id);

/** All tables with texts of persons, to search in. */
async function storedText(): Promise<string> {
  const tables = ['leads', 'lead_contact_points', 'contact_points', 'submissions', 'contacts'];
  const rows = await Promise.all(
    tables.map((table) =>
      database.query<{ row: string }>(`select ${table}::text as row from ${table}`),
    ),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

/** As earlier rules stored what a lead names. */
async function storeAs(lead: { id: string; contactId: string }, point: ContactPoint) {
  await database.query(`delete from lead_contact_points where lead_id = $1`, [lead.id]);
  await database.query(`delete from contact_points where contact_id = $1`, [lead.contactId]);
  await database.query(
    `with held as (insert into contact_points (kind, value, contact_id) values ($1, $2, $3))
     insert into lead_contact_points (kind, value, lead_id, founding, mergeable) values ($1, $2, $4, true, false)`,
    [point.kind, point.value, lead.contactId, lead.id],
  );
}

describe('a person is found by a number or an address however it was written', () => {
  const phone = (value: string): ContactPoint => ({ kind: 'phone', value });
  const [a, b] = ['0501521111', '0529876543'];
  const cases: [string, Record<string, string[]>, string[]][] = [
    ['two numbers', { leadPhones: [`${a} / ${b}`] }, [a, `+971${b.slice(1)}`]],
    ['a comma', { leadPhones: ['0501521112,0529876542'] }, ['0529876542']],
    ['no plus', { leadPhones: ['447911123456'] }, ['+44 7911 123456']],
    ['a name', { leadEmails: ['Layla <l1@y.example>'] }, ['L1@y.example']],
    ['mailto:', { leadEmails: ['mailto:l2@y.example'] }, ['l2@y.example']],
    ['two', { leadEmails: ['l3@y.example; l4@y.example'] }, ['l3@y.example', 'l4@y.example']],
    ['a dot', { leadEmails: ['l5@y.example.'] }, ['l5@y.example']],
    ['an e-mail among the phones', { leadPhones: ['l6@y.example'] }, ['l6@y.example']],
    ['a phone among the e-mails', { leadEmails: ['0501521113'] }, ['+971501521113']],
  ];

  test.each(cases)('%s', async (_case, body, asked) => {
    const lead = await create({ ...body, leadFirstName: 'Sara' });
    for (const text of asked) {
      const found = await exportOf(text);
      expect(leadIdsOf(found)).toEqual([lead.id]);
      expect(found.document.leads[0]).toMatchObject({ isOfAnotherContact: false });
    }
    const [first = ''] = asked;
    const { json } = await leadctl('person', 'erase', first, '--yes', '--json');
    expect(json.erasure).toMatchObject({ leads: 1, author: 'noor' });
    for (const text of asked)
      expect((await leadctl('person', 'erase', text)).text).toMatch(
        /^Nothing is kept of .*\nErased .* by noor: 1 lead\. Proof: /,
      );
    const [sent = ''] = Object.values(body).flat();
    expect(await storedText()).not.toContain(sent);
  });

  test('two numbers in one text, and with a later lead, which is merged into it', async () => {
    const [mine, second] = [newPhone(), newPhone()];
    const text = `${national(mine)} / ${national(second)}`;
    const before = await create({ leadPhones: [text], leadFirstName: 'Sara' });
    const later = await create({ leadPhones: [second], leadFirstName: 'Sara' });
    expect(later).toMatchObject({ merged: true, id: before.id });
    expect(leadIdsOf(await exportOf(mine))).toEqual([before.id]);
  });

  test('of two contacts that would be one today, the other’s lead is named, and taken with --shared', async () => {
    const [mine, second] = [newPhone(), newPhone()];
    const text = `${national(mine)} / ${national(second)}`;
    const before = await create({ leadPhones: [text], leadFirstName: 'Sara' });
    await storeAs(before, phone(second));
    const later = await create({ leadPhones: [mine], leadFirstName: 'Sara' });
    expect(later.contactId).not.toBe(before.contactId);
    await database.query(
      `insert into lead_contact_points (kind, value, lead_id, founding, mergeable) values ('phone', $1, $2, false, false)`,
      [mine, before.id],
    );
    const { document } = await exportOf(mine);
    expect(document.leads).toMatchObject([
      { id: later.id, isOfAnotherContact: false },
      { id: before.id, isOfAnotherContact: true, contactPoints: [phone(mine)] },
    ]);
    const { json } = await leadctl('person', 'erase', mine, '--shared', '--yes', '--json');
    expect(json.erasure).toMatchObject({ leads: 2 });
    const left = await storedText();
    for (const each of [mine, national(mine), second, national(second)])
      expect(left).not.toContain(each);
  });

  test('as a near one, where a process of the former version stored it under its text', async () => {
    const [mine, second] = [newPhone(), newPhone()];
    const text = `${national(mine)} / ${national(second)}`;
    const lead = await create({ leadPhones: [text], leadFirstName: 'Sara' });
    await storeAs(lead, phone(text));
    const { json } = await leadctl('person', 'erase', mine, '--json');
    expect(json.near).toContainEqual({ leadId: lead.id, sent: text });
    await leadctl('person', 'erase', mine, '--lead', lead.id, '--yes');
    const left = await storedText();
    for (const each of [mine, second]) expect(left).not.toContain(national(each));
    for (const each of [mine, second])
      expect((await leadctl('person', 'erase', each)).text).toMatch(
        /^Nothing is kept of .*\nErased .* by noor: 1 lead\. Proof: /,
      );
  });

  test('not one of which the text is only a part', async () => {
    const mine = newPhone();
    await create({ leadPhones: [`+49${mine.slice(4)}12`] });
    expect(leadIdsOf(await exportOf(mine))).toEqual([]);
  });
});

describe('where nothing is kept under a text', () => {
  test.each([
    ['a swap', '0507654321', '0507654231'],
    ['a digit that lacks', '0507654322', '050765422'],
    ['an extension', '043654323', '043654323 ext 5'],
    ['another domain', 'layla.haddad@mail.example', 'layla.haddad@post.example'],
    ['a typing error', 'omar.k@mail.example', 'omra.k@mail.example'],
  ])('the nearest texts are listed with their leads: %s', async (_case, asked, sent) => {
    const { id } = await create({ [sent.includes('@') ? 'leadEmails' : 'leadPhones']: [sent] });
    const { text, json } = {
      ...(await exportOf(asked)),
      ...(await leadctl('person', 'erase', asked, '--json')),
    };
    expect(json.near).toContainEqual({ leadId: id, sent });
    expect(text).toBeDefined();
    const erasing = await leadctl('person', 'erase', asked);
    expect(erasing.text).toContain(`  ${sent}  lead ${id}\n`);
    const named = await leadctl('person', 'erase', asked, '--lead', id.slice(0, 8), '--yes');
    expect(named.text).toContain('1 lead stays as a number');
    expect(await storedText()).not.toContain(sent);
  });

  test('the registry’s answer to a similar number goes with the lead that is taken by its id', async () => {
    const [asked, sent] = ['0507659321', '0507659231'];
    const { id } = await create({ leadPhones: [sent] });
    await giveAnswer(database, { phone: sent, checkedAt: new Date() });
    const { json } = await leadctl('person', 'erase', asked, '--lead', id, '--yes', '--json');
    expect(json.rows).toMatchObject({ dncr_answers: 1 });
    expect(await answersTo(sent)).toEqual([]);
  });

  test('a cut list says how many are near, and --limit', async () => {
    for (let at = 0; at < 11; at += 1) await create({ leadPhones: [`043711122 ext ${at}`] });
    const find = async (...words: string[]) =>
      (await leadctl('person', 'erase', '04371112', ...words)).text;
    expect(await find()).toContain('\n  10 of 11 texts shown; --limit 11 shows all.\n');
    expect(await find('--limit', '11')).not.toContain('shown');
  });

  test('a lead that is not near it is refused', async () => {
    const other = await create({ leadPhones: ['+447911999888'] });
    await expect(
      leadctl('person', 'erase', newPhone(), '--lead', other.id, '--yes'),
    ).rejects.toThrow(`Lead ${other.id} does not name this phone or e-mail, nor one near it.`);
  });
});

describe('where something is kept under a text, a similar text of another lead', () => {
  test('is named before an erasure and after it, and taken by its lead’s id', async () => {
    const mine = await create({ leadPhones: ['043873465'] });
    const sent = '00971 4 387 3465 ext 12';
    const { id } = await create({ leadPhones: [sent] });
    expect(id).not.toBe(mine.id);
    const named = `Similar texts; take one of these leads with --lead ID:\n  ${sent}  lead ${id}\n`;
    const erase = (...options: string[]) => leadctl('person', 'erase', '043873465', ...options);
    expect((await erase('--dry-run')).text).toContain(named);
    await expect(erase()).rejects.toThrow(named);
    expect((await exportOf('043873465')).document.leads).toHaveLength(1);
    const erased = (await erase('--yes')).text;
    expect(erased).toMatch(
      /^Nothing else of \+97143873465 is kept any more, but similar texts of other leads; 1 lead /,
    );
    expect(erased).toContain(named);
    expect((await erase('--lead', id, '--yes')).text).toContain('1 lead stays as a number');
    expect((await erase()).text).toMatch(/^Nothing is kept of \+97143873465\.\n/);
    expect(await storedText()).not.toContain(sent);
  });
});

/** An erasure that is killed once it has erased one lead. */
async function eraseKilledAfterOneLead(text: string, shared: boolean) {
  const asked = readContactPoints(text);
  const found = await findPerson(database, asked);
  const scope = { shared, leads: [] };
  const { person, ofOthers } = await applyScope(database, found, [], scope);
  const { contactPoints } = found;
  const plan = { person, contactPoints, ofOthers, leftovers: [], scope };
  const killed = erasePerson(database, plan, {
    asked,
    id: randomUUID(),
    author: 'noor',
    now: new Date(),
    hashesOf: (points) => points.map((point) => hashContactPoint(point, api.config.secretsKey)),
    onErased: () => {
      throw new Error('Killed.');
    },
  });
  await expect(killed).rejects.toThrow('Killed.');
}

describe('what is another person’s', () => {
  /** A couple: the husband's second lead names a number of the wife's too, in a text with his own. */
  async function createCouple() {
    const [hers, his, shared] = [newPhone(), newPhone(), newPhone()];
    setNow(new Date(Date.now() - 96 * HOUR_MS));
    const husband = await create({ leadPhones: [his], leadFirstName: 'Omar' });
    const wife = await create({ leadPhones: [hers, shared], leadFirstName: 'Sara' });
    setNow(null);
    const common = await create({
      leadPhones: [`${national(his)} / ${national(shared)}`],
      leadFirstName: 'Omar K',
      unknownField: 1e21,
      initialInquiry: 'A villa.',
    });
    expect(common.contactId).toBe(husband.contactId);
    return { hers, his, shared, husband, wife, common };
  }

  test('is marked in an export and left out of it, unless it is asked for', async () => {
    const { hers, shared, wife, common } = await createCouple();
    const { document, text } = await exportOf(hers);
    const [mine, theirs] = document.leads;
    expect(mine).toMatchObject({ id: wife.id, isOfAnotherContact: false });
    expect(theirs).toEqual({
      id: common.id,
      client: 'Shop',
      createdAt: expect.any(String),
      contactPoints: [{ kind: 'phone', value: shared }],
      isOfAnotherContact: true,
    });
    expect(JSON.stringify(document)).not.toMatch(/Omar|villa/);
    expect(text).toContain(
      `1 lead of another contact names the same phone or e-mail and is left out; --shared takes it: ${common.id}.`,
    );
    const all = (await exportOf(hers, '--shared')).document;
    expect(all.leads[1]).toMatchObject({ id: common.id, isOfAnotherContact: true });
    expect(JSON.stringify(all.leads[1])).toContain('A villa.');
  });

  test('stays in an erasure, which names it and takes the number off', async () => {
    const { hers, his, shared, wife, common, husband } = await createCouple();
    const named = `1 lead of another contact names the same phone or e-mail and stays, without it; --shared erases it: ${common.id}`;
    await expect(leadctl('person', 'erase', hers)).rejects.toThrow(named);
    const dry = await leadctl('person', 'erase', hers, '--dry-run', '--json');
    expect(dry.json.leadsOfOthers).toEqual({ count: 1, leadIds: [common.id], included: false });
    const { text: shown } = await leadctl('person', 'erase', hers, '--yes');
    expect(shown).toContain(`1 lead stays as a number`);
    expect(shown).toContain(`e-mail and stays, without it: ${common.id}.`);
    expect(await api.lead(wife.id)).toMatchObject({ lead_phones: [], erased_at: expect.any(Date) });
    expect(await api.lead(common.id)).toMatchObject({
      lead_phones: [his],
      lead_first_name: 'Omar K',
      erased_at: null,
    });
    expect(await api.lead(husband.id)).toMatchObject({ lead_phones: [his], erased_at: null });
    const text = await storedText();
    for (const phone of [hers, shared])
      for (const form of [phone, national(phone)]) expect(text).not.toContain(form);
    const [body] = await database.query<{ body: string }>(
      `select body::text from submissions where lead_id = $1`,
      [common.id],
    );
    expect(body?.body).toContain('"unknownField":1e+21');
    const again = await create({ leadPhones: [shared] });
    expect(again).toMatchObject({ merged: false, isRepeatLead: false });
  });

  test('goes with --shared, and its contact keeps what its other leads brought', async () => {
    const { hers, his, shared, common, husband } = await createCouple();
    const only = newPhone();
    await api.update(common.id, { leadPhones: [only] });
    for (const phone of [only, his])
      await giveAnswer(database, { phone: national(phone), checkedAt: new Date() });
    const { text } = await leadctl('person', 'erase', hers, '--shared', '--yes');
    expect(await answersTo(national(only))).toEqual([]);
    expect(await answersTo(national(his))).toHaveLength(1);
    expect(text).toContain('2 leads stay as numbers');
    expect(await api.lead(common.id)).toMatchObject({ lead_phones: [], lead_first_name: null });
    expect(await api.lead(husband.id)).toMatchObject({ lead_first_name: 'Omar', erased_at: null });
    expect(await storedText()).not.toContain(shared);
    expect(leadIdsOf(await exportOf(his))).toEqual([husband.id]);
  });

  test.each([[[]], [['--shared']]])(
    'goes too where an erasure was killed as soon as one lead was erased: %j',
    async (options: string[]) => {
      const { hers, shared } = await createCouple();
      await eraseKilledAfterOneLead(hers, options.length > 0);
      await leadctl('person', 'erase', hers, ...options, '--yes');
      const left = await storedText();
      for (const phone of [hers, shared])
        for (const form of [phone, national(phone)]) expect(left).not.toContain(form);
    },
  );

  test('of two who share one phone: all names are named, and --lead takes the named leads only', async () => {
    const [phone, hers, his] = [newPhone(), newEmail(), newEmail()];
    setNow(new Date(Date.now() - 48 * HOUR_MS));
    const wife = await create({ leadPhones: [phone], leadEmails: [hers], leadFirstName: 'Zahra' });
    setNow(null);
    const husband = await create({ leadPhones: [phone], leadFirstName: 'Omar', leadLastName: 'K' });
    await create({ leadPhones: [phone], leadEmails: [his], leadFirstName: 'Noor' });
    expect(husband.contactId).toBe(wife.contactId);
    await giveAnswer(database, { phone: national(phone), checkedAt: new Date() });
    const { document } = await exportOf(phone);
    expect(document.names).toEqual([
      { name: 'Zahra', leadIds: [wife.id] },
      { name: 'Omar K', leadIds: [husband.id] },
      { name: 'Noor', leadIds: [husband.id] },
    ]);
    const limited = await exportOf(phone, '--lead', wife.id);
    expect(leadIdsOf(limited)).toEqual([wife.id]);
    expect(JSON.stringify(limited.document)).not.toMatch(/Omar|Noor/);
    await expect(leadctl('person', 'erase', phone)).rejects.toThrow(
      `Sent under 3 names: Zahra (lead ${wife.id}), Omar K (lead ${husband.id}), Noor (lead ${husband.id})`,
    );
    const { json } = await leadctl('person', 'erase', phone, '--lead', wife.id, '--yes', '--json');
    expect(json).toMatchObject({ rows: { leads: 1 }, erasure: { leads: 1 } });
    expect(json.rows).not.toHaveProperty('dncr_answers');
    expect((await leadctl('person', 'erase', phone, '--lead', wife.id)).text).toMatch(
      /^These leads hold nothing of .*\nErased /,
    );
    expect(await api.lead(husband.id)).toMatchObject({ lead_first_name: 'Omar', erased_at: null });
    const text = await storedText();
    expect(text).not.toMatch(new RegExp(`Zahra|${hers}`));
    expect(text).toContain(his);
    expect(await answersTo(national(phone))).toHaveLength(1);
    expect((await leadctl('person', 'erase', hers)).text).toMatch(
      /^Nothing is kept of .*\nErased /,
    );
    const left = await exportOf(phone);
    expect(leadIdsOf(left)).toEqual([husband.id]);
    expect(left.text).toContain(`Sent under 2 names, all of lead ${husband.id}: Omar K, Noor.\n`);
    await leadctl('person', 'erase', phone, '--lead', wife.id, '--lead', husband.id, '--yes');
    expect(await storedText()).not.toContain(phone);
  });
});

test('an export shows the host of an integrator’s webhook, not its address', async () => {
  const url = 'https://hooks.shop.example:8443/in?token=secret-of-the-shop';
  await leadctl('webhook', 'add', '--client', api.client.clientId, '--url', url);
  const phone = newPhone();
  await create({ leadPhones: [phone] });
  const { document } = await exportOf(phone);
  expect(document.leads[0].webhookEvents[0].deliveries).toMatchObject([
    { to: 'hooks.shop.example:8443', status: 'pending' },
  ]);
  expect(JSON.stringify(document)).not.toContain('secret-of-the-shop');
});

test('a second erasure finds what came to the leads after the first one', async () => {
  const phone = newPhone();
  const { id } = await create({ leadPhones: [phone], initialInquiry: 'A villa.' });
  await leadctl('person', 'erase', phone, '--yes');
  await database.query(
    `insert into comments (id, lead_id, submission_id, text, occurred_at, position)
     select gen_random_uuid(), lead_id, id, 'Sara called', now(), 0 from submissions where lead_id = $1`,
    [id],
  );
  const erasedAt = (await api.lead(id)).erased_at;
  const { json } = await leadctl('person', 'erase', phone, '--yes', '--json');
  expect(json).toMatchObject({ rows: { comments: 1 }, erasure: { leads: 0 } });
  expect(await database.query(`select from comments where lead_id = $1`, [id])).toEqual([]);
  expect((await api.lead(id)).erased_at).toEqual(erasedAt);
  expect((await leadctl('person', 'erase', phone)).text).toMatch(
    /^Nothing is kept of .*\nErased .*\nErased /,
  );
});

test('and proves nothing of others whose leads were erased in its time', async () => {
  const [phone, other] = [newPhone(), newPhone()];
  const { id } = await create({ leadPhones: [phone] });
  const first = await create({ leadPhones: [other] });
  await database.query(
    `update leads set merge_window_ends_at = now() - interval '1 hour' where id = $1`,
    [first.id],
  );
  expect(await create({ leadPhones: [other] })).toMatchObject({ repeatOfLeadId: first.id });
  await leadctl('person', 'erase', phone, '--yes');
  // As an interrupted run leaves it, and a retention meanwhile.
  await database.query(
    `update erasures set started_at = now() - interval '1 hour', finished_at = null
     where started_at = (select erased_at from leads where id = $1)`,
    [id],
  );
  await eraseLead(database, first.id, {
    erasureId: randomUUID(),
    now: new Date(),
    inactiveSince: null,
    hashesOf: () => [],
    leavesContact: false,
  });
  await database.query(`update leads set lead_first_name = 'Sara' where id = $1`, [id]);
  await leadctl('person', 'erase', phone, '--yes');
  const { document } = await exportOf(other);
  expect(document.erasures).toEqual([]);
});
