import { leadCommands } from '../../cli/lead.ts';
import { startLeadctl } from './leadctl.ts';

const create = async (body: object): Promise<string> => (await api.create(body)).id;

const { api, leadctl } = await startLeadctl(leadCommands);
const leadId = await create({
  leadPhones: ['+971501234567', '+44 20 7946 0018'],
  leadEmails: ['Sara.H@Mail.example'],
  leadFirstName: 'Sara',
  leadLastName: 'El-Haddad Ünal',
  integrationRef: 'CRM-77',
  adPlatform: { adPlatformLeadId: 'fb-4711' },
});
await create({ leadPhones: ['+971509999999'], leadFirstName: 'Omar' });
const [lead] = await api.database.query<{ contact: string }>(
  `update leads set merge_window_closed_at = now() where id = $1 returning contact_id as contact`,
  [leadId],
);
const contactId = lead?.contact ?? '';
await api.database.query('update lead_contact_points set mergeable = false');

const idsOf = async (text: string) =>
  ((await leadctl('lead', 'find', text, '--json')).json as { id: string }[]).map(({ id }) => id);

test.each([
  ['a local phone', () => '050 123 4567'],
  ['an international phone', () => '00971-50-1234567'],
  ['another phone of the lead', () => '+442079460018'],
  ['a phone in Arabic digits', () => '٠٥٠١٢٣٤٥٦٧'],
  ['an e-mail in another case', () => ' sara.h@mail.EXAMPLE '],
  ['the integrator’s reference in another case', () => ' crm-77'],
  ['the ad platform’s id', () => 'fb-4711'],
  ['the lead’s id', () => leadId.toUpperCase()],
  ['the first characters of the lead’s id', () => leadId.slice(0, 13)],
  ['the contact’s id', () => contactId],
])('a lead is found, and shown, by %s', async (_, text) => {
  expect(await idsOf(text())).toContain(leadId);
  expect((await leadctl('lead', 'show', text(), '--json')).json.id).toBe(leadId);
});

test.each([
  ['the first name', 'sara'],
  ['the beginning of the last name', 'el-had'],
  ['both, in any order and case', 'ünal SARA'],
  ['the last word of the last name', 'ÜNAL'],
  ['what follows a hyphen in it', 'el haddad'],
  ['the last four digits', '4567'],
  ['the last digits of another phone', '946 0018'],
  ['the last digits in Arabic', '٤٥٦٧'],
])('a lead is found, but not named alone, by %s', async (_, text) => {
  expect(await idsOf(text)).toEqual([leadId]);
  expect((await leadctl('lead', 'find', text)).text).not.toMatch(/haddad/i);
  expect((await leadctl('lead', 'find', text, '--personal')).text).toContain('El-Haddad');
  await expect(leadctl('lead', 'show', text)).rejects.toThrow(
    /^Lead not found: .* leadctl lead find lists leads\.$/,
  );
});

test.each(['addad', 'Sara Omar', '%', 'Sa_a', '456', '1234567 8'])(
  '%s is no part of a name or the end of a phone by which a lead is found',
  async (text) => expect(await idsOf(text)).toEqual([]),
);

test('the other leads of a person are found by what only one of them was sent with', async () => {
  const later = await create({ leadEmails: ['sara.h@mail.example'], leadFirstName: 'Sara' });
  expect(await idsOf('050 123 4567')).toEqual([later, leadId]);
  await expect(leadctl('lead', 'show', 'sara.h@mail.example')).rejects.toThrow(
    /names several leads/,
  );
});

test('as JSON a lead has its holder and its client', async () => {
  expect((await leadctl('lead', 'find', 'CRM-77', '--json')).json).toEqual([
    {
      id: leadId,
      status: 'pending',
      agent: null,
      pool: null,
      source: null,
      createdAt: expect.any(String),
      clientId: api.client.clientId,
      client: 'Shop',
    },
  ]);
});

test('nothing of the customer is printed but on demand', async () => {
  const { text } = await leadctl('lead', 'find', 'CRM-77');
  expect(text).toMatch(/LEAD +STATE +OWNER +SOURCE +CREATED .*CLIENT/);
  expect(text).not.toMatch(/sara|971501234567/i);
  const { text: personal } = await leadctl('lead', 'find', 'CRM-77', '--personal');
  expect(personal).toMatch(/Sara .*\+971501234567.*Sara\.H@Mail\.example/s);
});

const ID_OF_NOBODY = '5f0c9f5e-7a3f-4a0e-9a54-0c9d5a4f1001';
test.each(['0501', 'nobody@mail.example', ID_OF_NOBODY, '5f0c9f5e-', '5f0c9f5e----'])(
  '%s finds nothing',
  async (text) => {
    expect(await idsOf(text)).toEqual([]);
    await expect(leadctl('lead', 'show', text)).rejects.toThrow(/Lead .*not found/);
  },
);

test.each(['Al Otaibi', 'Mohammed Al-Otaibi', 'Otaibi'])(
  'the lead of Layla %s is found by the surname alone',
  async (leadLastName) => {
    const leadEmails = [`${leadLastName.replaceAll(' ', '.')}@mail.example`];
    const id = await create({ leadEmails, leadFirstName: 'Layla', leadLastName });
    expect(await idsOf('OTAIBI')).toContain(id);
    expect(await idsOf('layla otaibi')).toContain(id);
  },
);

test('a name with a digit or other signs is found', async () => {
  const lastName = `Cust40-${Date.now()}`;
  const id = await create({
    leadEmails: ['cust40@mail.example'],
    leadFirstName: 'Elmo',
    leadLastName: lastName,
  });
  for (const text of [lastName, `Elmo, ${lastName}`, `${lastName} elmo`])
    expect(await idsOf(text)).toEqual([id]);
});

test('a cut list says how many there are', async () => {
  const { text } = await leadctl('lead', 'find', leadId.slice(0, 8), '--limit', '50');
  expect(text).not.toContain('shown');
  const known = await idsOf('050 123 4567');
  const cut = await leadctl('lead', 'find', '050 123 4567', '--limit', '1', '--json');
  expect(known.length).toBeGreaterThan(1);
  expect(cut.note).toBe(`1 of ${known.length} leads shown; --limit ${known.length} shows all.\n`);
});
