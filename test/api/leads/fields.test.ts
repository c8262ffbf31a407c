import { fields } from '../../../domain/leads/fields.ts';
import { newEmail, newPhone, startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

const texts = fields.filter((field) => field.type === 'text');
const exact = texts.filter((field) => field.match === 'exact');
const lists = fields.filter((field) => field.type === 'texts');
const decimals = fields.filter((field) => field.type === 'decimal');
const limited = fields.filter(
  ({ name, maxLength }) => maxLength !== undefined && name !== 'ipAddress',
);
const isList = (name: string) => lists.some((field) => field.name === name);
const wrap = (name: string, value: unknown) => (isList(name) ? [value] : value);

async function errorsOf(body: object): Promise<string[]> {
  const answer = await api.post({ leadPhones: [newPhone()], ...body });
  expect(answer).toMatchObject({
    status: 422,
    body: { statusCode: 422, code: 'VALIDATION_ERROR', message: 'Validation failed' },
  });
  return answer.body.errors;
}

describe('The type of a field', () => {
  test.each(texts.map(({ name }) => name))('%s must be a text', async (name) => {
    expect(await errorsOf({ [name]: 7 })).toEqual([expect.stringMatching(`^${name}: `)]);
  });

  test.each(lists.map(({ name }) => name))('%s must be a list of texts', async (name) => {
    expect(await errorsOf({ [name]: 'text' })).toEqual([expect.stringMatching(`^${name}: `)]);
    expect(await errorsOf({ [name]: ['a', 7] })).toEqual([expect.stringContaining(`${name}[1]: `)]);
  });

  test.each(decimals.map(({ name }) => name))(
    '%s must be a number or a numeric text',
    async (name) => {
      for (const wrong of ['much', '-1', -1, true, '1.2.3', '9'.repeat(19)])
        expect(await errorsOf({ [name]: wrong })).toEqual([expect.stringMatching(`^${name}: `)]);
    },
  );

  test.each([
    ['quiz', 'text'],
    ['quiz', ['a']],
    ['adPlatform', 7],
    ['comments', 7],
  ])('%s cannot be %j', async (name, wrong) => {
    expect(await errorsOf({ [name]: wrong })).toEqual([expect.stringMatching(`^${name}: `)]);
  });
});

describe('The maximum length of a field', () => {
  test.each(limited.map(({ name, maxLength }) => [name, maxLength as number] as const))(
    '%s takes %d characters, Arabic letters and emoji too, and not one more',
    async (name, maxLength) => {
      for (const letter of ['ع', '🏠']) {
        const fits = await api.post({
          leadEmails: [newEmail()],
          [name]: wrap(name, letter.repeat(maxLength)),
        });
        expect(fits.status).toBe(201);
      }
      const errors = await errorsOf({ [name]: wrap(name, 'x'.repeat(maxLength + 1)) });
      expect(errors).toEqual([
        `${name}${isList(name) ? '[0]' : ''}: must have at most ${maxLength} characters`,
      ]);
    },
  );

  test.each(lists.map(({ name, maxEntries }) => [name, maxEntries as number] as const))(
    '%s takes %d entries and not one more; blank ones do not count',
    async (name, maxEntries) => {
      const entries = (count: number) => [
        ...Array.from({ length: count }, newEmail),
        '',
        ' ',
        null,
      ];
      const body = (count: number) => ({ leadPhones: [newPhone()], [name]: entries(count) });
      expect((await api.post(body(maxEntries))).status).toBe(201);
      expect(await errorsOf(body(maxEntries + 1))).toEqual([
        `${name}: must have at most ${maxEntries} entries`,
      ]);
    },
  );

  test('of entries is reported beside what is wrong with each', async () => {
    const leadPhones = [7, ...Array.from({ length: 20 }, newPhone)];
    expect(await errorsOf({ leadPhones })).toEqual([
      expect.stringMatching(/^leadPhones\[0\]: /),
      'leadPhones: must have at most 20 entries',
    ]);
  });

  test('null beside phones and e-mails is dropped, and errors keep their index', async () => {
    const [phone, mail] = [newPhone(), newEmail()];
    const lead = await api.create({ leadPhones: [null, phone, null], leadEmails: [null, mail] });
    expect(lead).toMatchObject({ leadPhones: [phone], leadEmails: [mail] });
    expect(await errorsOf({ leadPhones: [null, 7] })).toEqual([
      expect.stringMatching(/^leadPhones\[1\]: /),
    ]);
    const update = await api.update(lead.id, { leadPhones: [null], languages: [null] });
    expect(update.updated).toBe(false);
  });

  test('hides what is wrong with the entries behind the first one too many', async () => {
    const leadPhones = Array.from({ length: 50_000 }, () => 7);
    expect(await errorsOf({ leadPhones })).toEqual([
      ...Array.from({ length: 21 }, (_, at) => expect.stringMatching(`^leadPhones\\[${at}\\]: `)),
      'leadPhones: must have at most 20 entries',
    ]);
  });

  test('holds on an update too, but for fields that are create-only and so not read', async () => {
    const lead = await api.create();
    for (const { name, maxLength, createOnly } of limited) {
      const body = { [name]: wrap(name, 'x'.repeat((maxLength as number) + 1)) };
      const answer = await api.call('PUT', `/public/leads/${lead.id}`, { body });
      expect([name, answer.status]).toEqual([name, createOnly ? 200 : 422]);
    }
  });

  test('a long message fits', async () => {
    const initialInquiry = 'م'.repeat(60_000);
    expect((await api.create({ initialInquiry })).initialInquiry).toBe(initialInquiry);
  });
});

describe('All errors of a body', () => {
  test('are reported at once, each with its path', async () => {
    const errors = await errorsOf({
      leadPhones: [7, 'x'.repeat(65)],
      source: 1,
      budgetMin: 'much',
      adPlatform: { adId: 7 },
      quiz: { answers: Array.from({ length: 501 }, () => ({})) },
      comments: [{ text: 'x'.repeat(10_001) }, 'text', { direction: 'sideways', date: 7 }],
    });
    const paths = errors.map((text) => text.split(': ')[0]);
    expect(paths.sort()).toEqual(
      [
        'adPlatform.adId',
        'budgetMin',
        'leadPhones[0]',
        'leadPhones[1]',
        'quiz.answers',
        'source',
      ].sort(),
    );
  });
});

describe('At least one entry in leadPhones or leadEmails is required', () => {
  test('of the types come before the rule that a phone or an e-mail is needed', async () => {
    expect((await api.post({ source: 7 })).status).toBe(422);
  });

  test.each([
    {},
    { leadPhones: ['', '  '], leadEmails: ['\t'] },
    { leadPhones: [null], leadEmails: [null, ''] },
    { leadPhones: ['\u200e', ' \u200b\u00a0'], leadEmails: ['\u2060'] },
  ])('%j is refused with 400', async (body) => {
    const answer = await api.post(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(answer.body.errors).toBeUndefined();
  });

  test.each([
    { leadPhones: ['050 777 0001'] },
    { leadPhones: '', leadEmails: ['only@mail.example'] },
  ])('%j is enough', async (body) => {
    expect((await api.post(body)).status).toBe(201);
  });
});

describe('An empty string or null', () => {
  test.each(fields.filter(({ match }) => match !== 'contactPoint').map(({ name }) => name))(
    '%s is as if omitted on create',
    async (name) => {
      for (const nothing of [null, '', '  ', ...(isList(name) ? [[], ['', ' ', null]] : [])]) {
        const lead = await api.create({ [name]: nothing });
        expect(lead[name]).toEqual(isList(name) ? [] : null);
        expect(lead.intakeUnresolved).toBeNull();
      }
    },
  );

  test.each(['quiz', 'adPlatform', 'comments'])('%s: null is as if omitted', async (name) => {
    expect((await api.create({ [name]: null })).merged).toBe(false);
  });

  test.each([
    ...['quiz', 'adPlatform'].map((name) => [name, [[], {}, '', ' ']] as const),
    ...['comments', ...lists.map(({ name }) => name)].map((name) => [name, [{}, '', ' ']] as const),
  ])('%s: what PHP sends for an empty value is as if omitted: %j', async (name, empties) => {
    for (const empty of empties) {
      const body = { leadPhones: [newPhone()], leadEmails: [newEmail()], [name]: empty };
      const { status, body: lead } = await api.post(body);
      expect([status, lead.intakeUnresolved, lead.comments]).toEqual([201, null, undefined]);
      const update = await api.update(lead.id, { [name]: empty });
      expect(update).toMatchObject({ updated: false, intakeUnresolved: null });
    }
  });
});

describe('What is stored as sent', () => {
  test.each(exact.map(({ name }) => name))('%s comes back to the letter', async (name) => {
    const sent = ` Ünï عربي 🏠 `;
    const lead = await api.create({ [name]: sent });
    expect(lead[name]).toBe(sent);
  });

  test.each([
    [' 1,500,000.50 ', '1500000.50'],
    ['007', '7'],
    ['+5', '5'],
    [0, '0'],
    ['123456789012345678', '123456789012345678'],
    ['1.5M', '1500000'],
    ['١٥٠٠٠٠٠', '1500000'],
  ])('a budget of %j is %s', async (sent, kept) => {
    const lead = await api.create({ budgetMin: sent, budgetMax: sent });
    expect(lead).toMatchObject({ budgetMin: kept, budgetMax: kept });
    expect(await api.lead(lead.id)).toMatchObject({ budget_min: kept, budget_max: kept });
  });

  test('a currency that the amounts of a budget name is that of the lead, unless one is sent', async () => {
    const budget = { budgetMin: 'AED 1,500,000', budgetMax: '2 million dirhams' };
    const lead = await api.create(budget);
    expect(lead).toMatchObject({
      budgetMin: '1500000',
      budgetMax: '2000000',
      currency: { id: 'AED' },
    });
    expect(await api.create({ ...budget, currency: 'USD' })).toMatchObject({
      currency: { id: 'USD' },
    });
    expect(await api.create({ ...budget, budgetMin: '€1m' })).toMatchObject({ currency: null });
    const update = await api.update(lead.id, { budgetMin: '€1.6m', budgetMax: 'up to 1.9m EUR' });
    expect(update.updatedFields).toEqual(['budgetMax', 'budgetMin', 'currencyId']);
    expect(await api.lead(lead.id)).toMatchObject({ budget_max: '1900000', currency_id: 'EUR' });
  });

  const [v6, long] = ['2001:0db8:85a3:0000:0000:8a2e:0370:7334', 'x'.repeat(65)];
  test.each([
    [`${v6}, ${v6}`, v6],
    [`10.0.0.1, 10.0.0.2,${v6}`, `10.0.0.1, 10.0.0.2,${v6}`],
    [`10.0.0.1, 10.0.0.2, ${v6},10.0.0.3`, `10.0.0.1, 10.0.0.2, ${v6}`],
    [long, 'x'.repeat(64)],
  ])('of the addresses %s those that fit are stored', async (ipAddress, stored) => {
    expect((await api.create({ ipAddress })).ipAddress).toBe(stored);
  });

  test('a time that is a number is unreadable, and no error', async () => {
    const at = 1764316800000;
    const adPlatform = { adPlatformLeadId: newPhone(), adPlatformCreatedAt: at };
    const lead = await api.create({ submittedAt: at, adPlatform });
    expect(lead).toMatchObject({ submittedAt: null, adPlatform, intakeUnresolved: null });
    expect((await api.update(lead.id, { submittedAt: at })).updated).toBe(false);
  });

  test.each([
    ['2026-09-20T10:15:30Z', '2026-09-20T10:15:30.000Z'],
    ['2026-09-20T14:15:30+04:00', '2026-09-20T10:15:30.000Z'],
    ['yesterday', null],
  ])('submittedAt %s is %j, unparseable ones are ignored', async (sent, kept) => {
    const lead = await api.create({ submittedAt: sent });
    expect(lead).toMatchObject({ submittedAt: kept, intakeUnresolved: null });
  });

  test('phones and e-mails are kept as sent, once each', async () => {
    const lead = await api.create({
      leadPhones: ['050 123 9999', '+971501239999', 'front desk'],
      leadEmails: ['Same@Mail.example', 'same@mail.example', 'not an e-mail'],
    });
    expect(lead.leadPhones).toEqual(['050 123 9999', 'front desk']);
    expect(lead.leadEmails).toEqual(['Same@Mail.example', 'not an e-mail']);
  });
});

describe('The full lead record', () => {
  test('has the fields of the new-lead table', async () => {
    const lead = await api.create({});
    expect(lead).toMatchObject({
      intakeUnresolved: null,
      needsIntakeReview: false,
      merged: false,
      isRepeatLead: false,
      repeatOfLeadId: null,
      isAgentEnquiry: false,
      agentEnquiryReason: null,
      assignedTo: null,
      status: 'pending',
      quiz: null,
      adPlatform: null,
      updatedAt: lead.createdAt,
    });
  });
});
