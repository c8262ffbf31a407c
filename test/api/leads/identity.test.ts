import { newEmail, newPhone, startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

const DAY_MS = 24 * 3_600_000;

/** Each test has a week of its own, so that no lead of another one is open. */
let week = 0;
async function at<T>(days: number, work: () => Promise<T>): Promise<T> {
  api.setNow(new Date(Date.parse('2026-01-05T08:00:00Z') + (7 * week + days) * DAY_MS));
  return work().finally(() => api.setNow(null));
}

describe('A text without a number or an address stands for nobody', () => {
  test.each(['N/A', '0500000000'])('%s', async (text) => {
    week += 1;
    const [a, b] = [newEmail(), newEmail()];
    const first = await at(0, () => api.create({ leadPhones: [text], leadEmails: [a] }));
    const second = await at(0, () => api.create({ leadPhones: [text], leadEmails: [b] }));
    const third = await at(2, () => api.create({ leadPhones: [text] }));
    const fourth = await at(4, () => api.create({ leadEmails: [text] }));
    const all = [first, second, third, fourth];
    for (const lead of all) expect(lead).toMatchObject({ merged: false, isRepeatLead: false });
    expect(new Set(all.map(({ contactId }) => contactId)).size).toBe(4);
    expect([first.leadPhones, third.leadPhones, fourth.leadEmails]).toEqual([
      [text],
      [text],
      [text],
    ]);
  });

  test('so a broker who sends one makes no agent of the next customer', async () => {
    const broker = { leadPhones: ['n/a'], leadEmails: ['Broker@outside.example'] };
    expect(await api.create(broker)).toMatchObject({ isAgentEnquiry: true });
    const customer = { leadPhones: ['n/a'], leadEmails: [newEmail()] };
    expect(await api.create(customer)).toMatchObject({ isAgentEnquiry: false });
  });

  test('an update appends it once', async () => {
    const lead = await api.create();
    expect(await api.update(lead.id, { leadPhones: ['N/A'] })).toMatchObject({ updated: true });
    expect(await api.update(lead.id, { leadPhones: [' n/a'] })).toMatchObject({ updated: false });
    const { lead_phones: phones } = await api.lead(lead.id);
    expect(phones).toEqual([...lead.leadPhones, 'N/A']);
  });
});

describe('Every readable number and address of a text is a contact point', () => {
  test.each([
    ['0501521111 / 0529876543', { leadPhones: ['+971529876543'] }, 'phone'],
    ['050 1521112 or 052 9876545', { leadEmails: ['0529876545'] }, 'phone'],
    ['layla4@y.example; omar4@y.example', { leadEmails: ['OMAR4@y.example.'] }, 'email'],
  ])('%s', async (text, later, matchedOn) => {
    week += 1;
    const lead = await at(0, () => api.create({ leadPhones: [text] }));
    expect(lead.leadPhones).toEqual([text]);
    const second = await at(0, () => api.create(later));
    expect(second).toMatchObject({ id: lead.id, merged: true, matchedOn });
    expect(await at(2, () => api.create(later))).toMatchObject({ repeatOfLeadId: lead.id });
  });

  test('an update with a known number in another form changes nothing', async () => {
    const [one, other] = [newPhone(), newPhone()];
    const lead = await api.create({ leadPhones: [`${one} / ${other}`] });
    const again = { leadPhones: [`0${other.slice(4)}`, one], leadEmails: [`${other}`] };
    expect(await api.update(lead.id, again)).toMatchObject({ updated: false, updatedFields: [] });
  });
});

test('creates at once whose texts name nobody are leads of their own', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.create({ leadPhones: ['N/A'], leadEmails: ['-'] })),
  );
  expect(new Set(answers.map(({ id }) => id)).size).toBe(20);
});

test('invisible characters count for nothing in lookups, texts and amounts', async () => {
  const lead = await api.create({
    leadFirstName: '\u200e',
    source: '\u200eWebsite\u200f',
    areaOfInterest: 'Dubai\u200b Marina',
    referenceNo: '\u202aAG-S-1001\u202c',
    budgetMin: '\u200e1500000',
    distributionType: '\u200froadshow',
    submittedAt: '\ufeff2026-03-15T10:00:00Z',
  });
  expect(lead).toMatchObject({
    leadFirstName: null,
    source: { name: 'Website' },
    areaOfInterest: { name: 'Dubai Marina' },
    listingId: { name: 'AG-S-1001' },
    budgetMin: '1500000',
    distributionType: 'Roadshow distribution',
    submittedAt: '2026-03-15T10:00:00.000Z',
    intakeUnresolved: null,
  });
});
