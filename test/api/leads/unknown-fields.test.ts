import { newPhone, startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

async function namedFor(body: object): Promise<string | null> {
  const { status, headers } = await api.post({ leadPhones: [newPhone()], ...body });
  expect(status).toBe(201);
  return headers.get('x-unknown-fields');
}

test.each<[string, object, string | null]>([
  ['other case', { LeadFirstName: 'Layla' }, 'LeadFirstName (leadFirstName?)'],
  ['underscores', { utm_source: 'x' }, 'utm_source (utmSource?)'],
  [
    'a name that others use',
    { phone: 'x', Email: 'x' },
    'phone (leadPhones?), Email (leadEmails?)',
  ],
  [
    'names that look like none of ours',
    { phoneNumber: 'x', email_address: 'x', name: 'x', message: 'x' },
    'phoneNumber (leadPhones?), email_address (leadEmails?), name (leadFirstName?), message (initialInquiry?)',
  ],
  ...[
    ['propertyType', 'propertyTypeInterest'],
    ['bedroom', 'quiz'],
    ['bedrooms', 'quiz'],
    ['budget', 'budgetMax'],
    ['price', 'budgetMax'],
    ['mobile', 'leadPhones'],
    ['tel', 'leadPhones'],
    ['WhatsApp', 'leadPhones'],
    ['email', 'leadEmails'],
    ['notes', 'initialInquiry'],
    ['area', 'areaOfInterest'],
    ['campaign', 'campaignName'],
    ['developer', 'developerName'],
    ['company', 'leadCompanyName'],
    ['agent', 'assignedBy'],
  ].map(([sent = '', meant]): [string, object, string] => [
    `the everyday ${sent}`,
    { [sent]: 'x' },
    `${sent} (${meant}?)`,
  ]),
  ['a letter that is wrong', { initialInquirry: 'x' }, 'initialInquirry (initialInquiry?)'],
  ['a singular', { language: 'ar' }, 'language (languages?)'],
  [
    'the ad platform’s block and a comment',
    {
      adPlatform: { adPlatformLeadID: '1' },
      comments: [{ text: 'a' }, { text: 'b', external_id: '7' }],
    },
    'adPlatform.adPlatformLeadID (adPlatformLeadId?), comments[1].external_id (externalId?)',
  ],
  [
    'names like no other',
    { favouriteColour: 'x', id: 1, x: 2, _: 3, myInternalId: 'y', external_key: 'z' },
    null,
  ],
  [
    'members of the block without its first word',
    { adPlatform: { leadId: '1', campaignName: 'x' } },
    'adPlatform.leadId (adPlatformLeadId?), adPlatform.campaignName (adPlatformCampaignName?)',
  ],
  ['a name that no header can carry', { 'Phone\r\nX-Evil': 'x', 'phone📞': 'x' }, null],
  ['known names', { source: 'Website', quiz: {}, leadFirstName: 'Layla' }, null],
])('a create names what has %s', async (_what, body, named) => {
  expect(await namedFor(body)).toBe(named);
});

test('up to ten are named, and a body of thousands costs little', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 4000 }, (_, index) => [`phone${'_'.repeat(index % 50)}${index}`, 1]),
  );
  expect((await namedFor(many))?.split(', ')).toHaveLength(10);
});

test('a create that has no phone says which field may be meant for one', async () => {
  const answer = await api.call('POST', '/public/leads', { body: { Phone: '0501234567' } });
  expect([answer.status, answer.headers.get('x-unknown-fields')]).toEqual([
    400,
    'Phone (leadPhones?)',
  ]);
});

test('an update names them too', async () => {
  const { id } = await api.create();
  const body = { BudgetMax: '1', assignedBy: 'x@y.example' };
  const answer = await api.call('PUT', `/public/leads/${id}`, { body });
  expect(answer.body).toMatchObject({ updated: false });
  expect(answer.headers.get('x-unknown-fields')).toBe('BudgetMax (budgetMax?)');
});
