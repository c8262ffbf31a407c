import { newEmail, newPhone, startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

/** The statements that a request costs, token check included; `begin` and `commit` are not counted. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const stop = api.database.onStatement(() => (count += 1));
  await work();
  stop();
  return count;
}

const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
const answersOf = (count: number) => ({
  quizKey: `quiz of ${count}`,
  answers: Array.from({ length: count }, (_none, index) => ({
    questionKey: `q${index}`,
    value: `${index}`,
  })),
});
const campaign = { adPlatformLeadId: 'x', adPlatformCampaignId: 'c', adPlatformCampaignName: 'C' };

describe('The number of SQL statements', () => {
  const creates: [string, () => object][] = [
    ['one phone', () => ({ leadPhones: [newPhone()] })],
    [
      'twenty phones and twenty e-mails',
      () => ({ leadPhones: many(20, newPhone), leadEmails: many(20, newEmail) }),
    ],
    ['a quiz of sixty answers', () => ({ leadPhones: [newPhone()], quiz: answersOf(60) })],
    [
      'a listing, every lookup and five comments',
      () => ({
        leadPhones: [newPhone()],
        referenceNo: 'AG-S-1001',
        source: 'Website',
        subSource: ['Chat'],
        languages: many(50, () => 'ar'),
        areaOfInterest: 'Dubai Marina',
        developerName: 'emaar',
        adPlatform: campaign,
        comments: many(5, () => ({ text: 'Hi' })),
      }),
    ],
  ];

  beforeAll(async () => {
    for (const [, body] of creates) await api.create({ ...body() });
  });

  test.each(creates)('of a create with %s is 4', async (_case, body) => {
    const sent = { ...body() };
    expect(await statementsOf(() => api.create(sent))).toBe(4);
  });

  test('of a create is 4 and 3 more where the quiz and the campaign are new: it gets a transaction of its own', async () => {
    const quiz = { quizKey: newPhone(), answers: [{ questionKey: 'q', value: '5' }] };
    const adPlatform = { adPlatformLeadId: newPhone(), adPlatformCampaignId: newPhone() };
    expect(await statementsOf(() => api.create({ quiz }))).toBe(8);
    expect(await statementsOf(() => api.create({ adPlatform }))).toBe(7);
    const sent = {
      leadPhones: many(20, newPhone),
      quiz: { ...answersOf(60), quizKey: newPhone() },
    };
    expect(await statementsOf(() => api.create(sent))).toBe(8);
  });

  test('of a merging create, which gets a transaction of its own, is 8', async () => {
    const leadPhones = many(20, newPhone);
    await api.create({ leadPhones: leadPhones.slice(0, 1) });
    expect(await statementsOf(() => api.create({ leadPhones: leadPhones.slice(0, 1) }))).toBe(8);
    expect(await statementsOf(() => api.create({ leadPhones, quiz: answersOf(60) }))).toBe(8);
  });

  test.each(creates)('of an update with %s is 5', async (_case, body) => {
    const lead = await api.create();
    const sent = { ...body() };
    expect(await statementsOf(() => api.update(lead.id, sent))).toBe(5);
  });

  test('is the same with the trace of the caller, which is stored', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const options = { headers: { traceparent } };
    const leadPhones = [newPhone()];
    expect(await statementsOf(() => api.create({ leadPhones }, options))).toBe(4);
    expect(await statementsOf(() => api.create({ leadPhones, source: 'Website' }, options))).toBe(
      8,
    );
    const { id } = await api.create({}, options);
    expect(await statementsOf(() => api.update(id, { budgetMax: '5' }, options))).toBe(5);
    expect((await api.lead(id)).traceparent).toBe(traceparent);
  });

  test('of an assignment read is 2, of a response time 6', async () => {
    const { id } = await api.create();
    const path = `/public/leads/${id}`;
    expect(await statementsOf(() => api.call('GET', `${path}/assignment`))).toBe(2);
    const respond = () => api.call('POST', `${path}/response-time`, { body: { seconds: 1 } });
    expect(await statementsOf(respond)).toBe(6);
  });
});
