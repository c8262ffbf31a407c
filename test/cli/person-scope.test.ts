import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { personCommands } from '../../cli/person.ts';
import { webhookCommands } from '../../cli/webhook.ts';
import { giveAnswer } from '../api/dncr/cached-answers.ts';
import { asAdmin } from '../support/database.ts';
import { newFolder } from '../support/folder.ts';
import { newEmail, newPhone, startIntake } from '../support/api.ts';
import { erasePerson } from '../../store/people/erasures.ts';
import { findPerson } from '../../store/people/read-person.ts';
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

describe('a person is found by a number or an address however it was written', () => {
  const [a, b] = ['0501521111', '0529876543'];
  const cases: [string, Record<string, string[]>, string[]][] = [
    ['two numbers', { leadPhones: [`${a} / ${b}`] }, [a, `+971${b.slice(1)}`]],
    ['a name', { leadEmails: ['Layla <l1@y.example>'] }, ['L1@y.example']],
    ['two', { leadEmails: ['l3@y.example; l4@y.example'] }, ['l3@y.example', 'l4@y.example']],
    ['a phone among the e-mails', { leadEmails: ['0501521113'] }, ['+971501521113']],
  ];

  test.each(cases)('%s', async (_case, body, asked) => {
    const lead = await create({ ...body, leadFirstName: 'Sara' });
    for (const text of asked) {
      const found = await exportOf(text);
      expect(leadIdsOf(found)).toEqual([lead.id]);
      expect(found.document.leadsOfOthers).toEqual([]);
    }
    const [first = ''] = asked;
    const { json } = await leadctl('person', 'erase', first, '--yes', '--json');
    expect(json.erasure).toMatchObject({ leads: 1, author: 'noor' });
    for (const text of asked)
      expect((await leadctl('person', 'erase', text)).text).toMatch(
        /^No personal data of .*\nErased .* by noor: 1 lead anonymised\./,
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

  test('not one of which the text is only a part', async () => {
    const mine = newPhone();
    await create({ leadPhones: [`+49${mine.slice(4)}12`] });
    expect(leadIdsOf(await exportOf(mine))).toEqual([]);
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

  test('is left out of an export, which lists its lead by id', async () => {
    const { hers, shared, wife, common } = await createCouple();
    const { document, text } = await exportOf(hers);
    expect(leadIdsOf({ document })).toEqual([wife.id]);
    expect(document.leadsOfOthers).toEqual([common.id]);
    expect(JSON.stringify(document)).not.toMatch(/Omar|villa/);
    const listed = `1 lead of another contact with the same phone or email: ${common.id}.`;
    expect(text).toContain(listed);
    expect((await leadctl('person', 'find', shared)).text).toContain(listed);
    const { json, note } = await leadctl('person', 'find', shared, '--json');
    expect(json).toMatchObject([{ contactId: wife.contactId, leads: 1 }]);
    expect(note).toBe(`${listed}\n`);
  });

  test('is kept by an erasure, which removes the number from it', async () => {
    const { hers, his, shared, wife, common, husband } = await createCouple();
    const named = `It removes only the phone or email from 1 lead of another contact with the same phone or email: ${common.id}.`;
    await expect(leadctl('person', 'erase', hers)).rejects.toThrow(named);
    const dry = await leadctl('person', 'erase', hers, '--dry-run', '--json');
    expect(dry.json.leadsOfOthers).toEqual({ count: 1, leadIds: [common.id] });
    const { text: shown } = await leadctl('person', 'erase', hers, '--yes');
    expect(shown).toContain(`: 1 lead anonymised.`);
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

  test('loses a webhook response that quotes the number, in any digits, and no other', async () => {
    const url = 'https://hooks.shop.example/in';
    await leadctl('webhook', 'add', '--client', api.client.clientId, '--url', url);
    const { hers, shared, common } = await createCouple();
    const inArabic = (text: string) =>
      text.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));
    const heads = [
      'known customer',
      `dup ${shared.slice(0, 6)}-${shared.slice(6)}`,
      inArabic(shared),
    ];
    for (const head of heads)
      await database.query(
        `insert into webhook_attempts (event_id, endpoint_id, at, latency_ms, response_head)
         select event_id, endpoint_id, now(), 1, $2 from webhook_deliveries where lead_id = $1 limit 1`,
        [common.id, head],
      );
    await leadctl('person', 'erase', hers, '--yes');
    const left = await database.query(`select response_head from webhook_attempts order by id`);
    expect(left.map((row) => row.response_head)).toEqual(['known customer', null, null]);
  });

  test.each([
    ['a lead', 'leads', 'erased_at'],
    ['its record', 'erasures', 'finished_at'],
  ])(
    'is covered by an erasure that was killed before the end of %s',
    async (_of, table, column) => {
      const { hers, shared, wife } = await createCouple();
      const later = await create({ leadPhones: [hers], leadFirstName: 'Sara' });
      expect(later).toMatchObject({ merged: false, contactId: wife.contactId });
      await asAdmin(
        api.adminUrl(),
        `create function kill() returns trigger language plpgsql as $$ begin raise 'Killed.'; end $$`,
        `create trigger kill before update on ${table} for each row
       when (new.${column} is not null and new.id <> '${wife.id}') execute function kill()`,
      );
      await expect(leadctl('person', 'erase', hers, '--yes')).rejects.toThrow('Killed.');
      await asAdmin(api.adminUrl(), `drop function kill cascade`);
      const planned = await leadctl('person', 'erase', hers, '--dry-run');
      expect(planned.text).toContain('It resumes an interrupted erasure.');
      const { json } = await leadctl('person', 'erase', hers, '--yes', '--json');
      expect(json).toMatchObject({ before: [{ id: json.erasure.id }], erasure: { leads: 2 } });
      const left = await storedText();
      for (const phone of [hers, shared])
        for (const form of [phone, national(phone)]) expect(left).not.toContain(form);
    },
  );

  test('of two who share one phone: they are one contact, with all of its names and leads', async () => {
    const [phone, hers, his] = [newPhone(), newEmail(), newEmail()];
    setNow(new Date(Date.now() - 48 * HOUR_MS));
    const wife = await create({ leadPhones: [phone], leadEmails: [hers], leadFirstName: 'Zahra' });
    setNow(null);
    const husband = await create({ leadPhones: [phone], leadEmails: [his], leadFirstName: 'Omar' });
    await create({ leadPhones: [phone], leadFirstName: 'Noor' });
    await giveAnswer(database, { phone: national(phone), checkedAt: new Date() });
    const { document } = await exportOf(hers);
    expect(document.names).toEqual(['Zahra', 'Omar', 'Noor']);
    expect(leadIdsOf({ document })).toEqual([wife.id, husband.id]);
    await expect(leadctl('person', 'erase', his)).rejects.toThrow('Sent as Zahra, Omar, Noor.');
    await leadctl('person', 'erase', his, '--yes');
    for (const text of ['Zahra', hers, his]) expect(await storedText()).not.toContain(text);
    expect(await answersTo(national(phone))).toEqual([]);
  });

  test('takes what arrived since the look-up: a phone of the lead, and its phone on another contact’s lead', async () => {
    const [hers, late, other] = [newPhone(), newPhone(), newPhone()];
    await create({ leadPhones: [other] });
    const { id } = await create({ leadPhones: [hers] });
    const person = await findPerson(database, {
      contactPoints: [{ kind: 'phone', value: hers }],
      ids: null,
    });
    await api.update(id, { leadPhones: [late] });
    await database.query(`insert into known_agents (kind, value) values ('phone', $1)`, [late]);
    await create({ leadPhones: [other, hers] });
    const terms = { id: randomUUID(), author: 'noor', now: new Date() };
    await erasePerson(database, person, { ...terms, hashes: [], hashesOf: () => [] });
    const left = `${await storedText()} ${JSON.stringify(await database.query('select * from known_agents'))}`;
    for (const phone of [hers, late]) expect(left).not.toContain(phone);
  });
});
