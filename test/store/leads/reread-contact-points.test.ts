import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rereadContactPoints } from '../../support/database.ts';
import { newEmail, newPhone, startIntake, type Intake } from '../../support/intake.ts';

let api: Intake;
beforeAll(async () => {
  api = await startIntake();
});
afterAll(() => api.stop());

const DAY_MS = 24 * 3_600_000;

async function onDay<T>(day: number, work: () => Promise<T>): Promise<T> {
  api.setNow(new Date(Date.parse('2026-01-05T08:00:00Z') + day * DAY_MS));
  return work().finally(() => api.setNow(null));
}

const sql = (text: string, values: unknown[] = []) => api.database.query(text, values);

const migrateAgain = () => rereadContactPoints(api.config.database.url);

/** As leads were stored before: under the text as sent, or a number read as of the UAE. */
async function storeFormerPoint(value: string, contactId: string, leadIds: string[]) {
  await sql(`insert into contact_points (kind, value, contact_id) values ('phone', $1, $2)`, [
    ...[value, contactId],
  ]);
  for (const id of leadIds)
    await sql(
      `insert into lead_contact_points (lead_id, kind, value, founding, mergeable)
       values ($1, 'phone', $2, false, true)`,
      [id, value],
    );
}

/** The later leads as if they had been taken for the first one's person. */
async function storeAsOneContact(contactId: string, leads: { id: string; contactId: string }[]) {
  for (const lead of leads) {
    await sql(`update contact_points set contact_id = $1 where contact_id = $2`, [
      ...[contactId, lead.contactId],
    ]);
    await sql(`update leads set contact_id = $1 where contact_id = $2`, [
      ...[contactId, lead.contactId],
    ]);
    await sql(`delete from contacts where id = $1`, [lead.contactId]);
  }
}

test('people whom only an unreadable text joined are told apart, with what one lead took from another', async () => {
  const [mona, omar] = [newEmail(), newEmail()];
  const body = (mail: string, name: string) => ({
    ...{ leadPhones: ['N/A'], leadEmails: [mail], leadFirstName: name },
  });
  const first = await onDay(0, () => api.create(body(mona, 'Mona')));
  const second = await onDay(3, () => api.create(body(omar, 'Omar')));
  const third = await onDay(6, () => api.create(body(omar, 'Omar')));
  const nameless = await onDay(9, () => api.create({ leadPhones: ['n/a'] }));
  await storeAsOneContact(first.contactId, [second, nameless]);
  const all = [first, second, third, nameless].map(({ id }) => id);
  await storeFormerPoint('n/a', first.contactId, all);
  await sql(`insert into known_agents (kind, value) values ('phone', 'n/a')`);
  await sql(
    `update leads set is_agent_enquiry = true, agent_enquiry_reason = $1, is_repeat_lead = true,
       repeat_of_lead_id = $2 where id = any ($3::uuid[])`,
    ['prior_lead', first.id, [second.id, third.id, nameless.id]],
  );
  await sql(
    `update leads set is_agent_enquiry = true, agent_enquiry_reason = 'known_agent' where id = $1`,
    [first.id],
  );

  expect(await migrateAgain()).toEqual(['0014-contact-points']);

  const kept = await sql(
    `select l.id, l.contact_id as "contactId", l.agent_enquiry_reason as reason, l.is_agent_enquiry as "isAgent",
       l.is_repeat_lead as "isRepeat", l.repeat_of_lead_id as "repeatOf", c.first_name as name
     from leads l join contacts c on c.id = l.contact_id where l.id = any ($1::uuid[]) order by l.created_at`,
    [all],
  );
  const nobodysAgent = { reason: null, isAgent: false };
  expect(kept).toMatchObject([
    { contactId: first.contactId, name: 'Mona', isRepeat: false, repeatOf: null, ...nobodysAgent },
    { name: 'Omar', isRepeat: false, repeatOf: null, ...nobodysAgent },
    { name: 'Omar', isRepeat: true, repeatOf: second.id, ...nobodysAgent },
    { name: null, isRepeat: false, repeatOf: null, ...nobodysAgent },
  ]);
  expect(kept[1]?.contactId).toBe(kept[2]?.contactId);
  expect(new Set(kept.map(({ contactId }) => contactId)).size).toBe(3);
  expect(await sql(`select kind from known_agents where value = 'n/a'`)).toEqual([]);

  const again = await onDay(12, () => api.create(body(omar, 'Omar')));
  expect(again).toMatchObject({ repeatOfLeadId: third.id, contactId: kept[1]?.contactId });
  const stranger = await onDay(12, () => api.create({ leadPhones: ['N/A'] }));
  expect(stranger).toMatchObject({ isRepeatLead: false, isAgentEnquiry: false });
});

test('people whom a readable number joins as well stay one contact', async () => {
  const [one, other] = [newPhone(), newPhone()];
  const first = await onDay(30, () => api.create({ leadPhones: [one, '-'] }));
  const second = await onDay(33, () => api.create({ leadPhones: [one, other, '-'] }));
  const third = await onDay(36, () => api.create({ leadPhones: ['-', other] }));
  const all = [first, second, third];
  await storeFormerPoint(
    '-',
    first.contactId,
    all.map(({ id }) => id),
  );
  await migrateAgain();
  const kept = await Promise.all(all.map(({ id }) => api.lead(id)));
  expect(kept.map(({ contact_id }) => contact_id)).toEqual(all.map(() => first.contactId));
  expect(kept.map(({ repeat_of_lead_id }) => repeat_of_lead_id)).toEqual([
    null,
    first.id,
    second.id,
  ]);
});

test('numbers and addresses that were kept as one text, or as of the UAE, are found in the texts that were sent', async () => {
  const phones = ['447911123999', '0501519999 / 0529879999', 'Layla <layla99@y.example>'];
  const lead = await onDay(60, () => api.create({ leadPhones: phones }));
  await sql(`delete from contact_points where contact_id = $1`, [lead.contactId]);
  await sql(`delete from lead_contact_points where lead_id = $1`, [lead.id]);
  for (const value of ['+971447911123999', '0501519999 / 0529879999', 'layla <layla99@y.example>'])
    await storeFormerPoint(value, lead.contactId, [lead.id]);
  await sql(`insert into known_agents (kind, value) values ('phone', '+971447911123888')`);
  await migrateAgain();

  for (const entry of ['+44 7911 123999', '0529879999', '+971501519999']) {
    const later = await onDay(60, () => api.create({ leadPhones: [entry] }));
    expect(later).toMatchObject({ id: lead.id, merged: true, matchedOn: 'phone' });
  }
  const byMail = await onDay(60, () => api.create({ leadEmails: ['layla99@y.example'] }));
  expect(byMail).toMatchObject({ id: lead.id, matchedOn: 'email' });
  expect(await api.create({ leadPhones: ['+447911123888'] })).toMatchObject({
    ...{ agentEnquiryReason: 'known_agent' },
  });
  const values = await sql(
    `select value from contact_points where contact_id = $1 order by value`,
    [lead.contactId],
  );
  expect(values.map(({ value }) => value)).toEqual([
    '+447911123999',
    '+971501519999',
    '+971529879999',
    'layla99@y.example',
  ]);
});

test('an address beside a number that was read is found as well, and its lead keeps its marks', async () => {
  const [phone, mail] = [newPhone(), newEmail()];
  const first = await onDay(80, () => api.create({ leadPhones: [phone] }));
  const second = await onDay(83, () => api.create({ leadPhones: [`${phone} / ${mail}`] }));
  const ofMail = [mail, first.contactId];
  await sql(`delete from contact_points where value = $1 and contact_id = $2`, ofMail);
  await sql(`delete from lead_contact_points where value = $1`, [mail]);
  await sql(`update leads set erased_at = now() where id = $1`, [first.id]);
  await sql(`delete from lead_contact_points where lead_id = $1`, [first.id]);
  await migrateAgain();

  const points = await sql(`select kind, contact_id from contact_points where value = $1`, [mail]);
  expect(points).toEqual([{ kind: 'email', contact_id: first.contactId }]);
  expect(await api.lead(second.id)).toMatchObject({ repeat_of_lead_id: first.id });
  const later = await onDay(83, () => api.create({ leadEmails: [mail] }));
  expect(later).toMatchObject({ id: second.id, merged: true, matchedOn: 'email' });
});

test('a campaign and a listing are found without the invisible characters of their names', async () => {
  const { advertisingCampaign } = await api.create({ advertisingCampaign: 'Spring \u200e2026' });
  await sql(`update advertising_campaigns set name_key = $1 where id = $2`, [
    ...['spring \u200e2026', advertisingCampaign.id],
  ]);
  await sql(`update listings set reference_no = $1 where reference_no = 'AG-S-1001'`, [
    '\u202aAG-S-1001\u202c',
  ]);
  await migrateAgain();
  const lead = await api.create({ advertisingCampaign: 'Spring 2026', referenceNo: 'AG-S-1001' });
  expect(lead).toMatchObject({
    advertisingCampaign: { id: advertisingCampaign.id },
    listingId: { name: 'AG-S-1001' },
  });
});

test('many are read in pages, and a second run finds nothing to do', async () => {
  const contactId = randomUUID();
  await sql(`insert into contacts (id, created_at) values ($1, now())`, [contactId]);
  await sql(
    `insert into contact_points (kind, value, contact_id)
     select 'phone', 'text ' || n, $1::uuid from generate_series(1, 25000) n`,
    [contactId],
  );
  await migrateAgain();
  const left = () =>
    sql(`select count(*) as n from contact_points where contact_id = $1`, [contactId]);
  expect(await left()).toEqual([{ n: 0 }]);
  const before = await sql(`select id, contact_id, xmin::text from leads order by id`);
  await migrateAgain();
  expect(await sql(`select id, contact_id, xmin::text from leads order by id`)).toEqual(before);
});
