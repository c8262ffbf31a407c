import { randomBytes } from 'node:crypto';
import { newPhone, startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

interface Stored {
  question: string | null;
  raw: unknown;
  reading: Record<string, unknown>;
  flagged: boolean;
}

async function answersOf(leadId: string): Promise<Stored[]> {
  return (await api.database.query(
    `select question, raw, reading, flagged from quiz_answers
     where lead_id = $1 and superseded_at is null order by quiz_key, position`,
    [leadId],
  )) as unknown as Stored[];
}

async function catalogueOf(quizKey: string) {
  return (await api.database.query(
    `select question, options from quiz_questions where quiz_key = $1 order by position`,
    [quizKey],
  )) as unknown as { question: string; options: string[] }[];
}

const questions = (count: number, prefix = 'q') =>
  Array.from({ length: count }, (_none, index) => ({
    questionKey: `${prefix}${index}`,
    optionKey: 'yes',
  }));

describe('quiz block', () => {
  test.each(['-1e400', '23851234567890123'])(
    '6: the number %s is kept as it was written, and its retry recognised',
    async (number) => {
      const body = (externalId: string) => `{"leadPhones": ["${newPhone()}"],
        "quiz": {"quizKey": "n", "answers": [{"questionKey": "q", "value": ${number}}]},
        "comments": [{"text": "Hi", "externalId": ${externalId}}]}`;
      const created = await api.post(body(number));
      expect(created.body.intakeUnresolved).toEqual({ 'quiz.n.q': number });
      const [answer] = await answersOf(created.body.id);
      expect(answer).toMatchObject({ raw: { questionKey: 'q', value: number }, flagged: true });
      const path = `/public/leads/${created.body.id}`;
      const retried = await api.call('PUT', path, { body: body(` "${number}"`) });
      expect(retried.body).toMatchObject({
        updatedFields: ['leadPhones'],
        comments: { added: 0, skipped: 1 },
      });
    },
  );

  test.each(['budgetMin', 'leadFirstName', 'comments', 'quiz', 'adPlatform'])(
    'such a number is no value of %s',
    async (name) => {
      const answer = await api.post(`{"leadPhones": ["${newPhone()}"], "${name}": 1e400}`);
      expect(answer.status).toBe(422);
    },
  );

  test('1 and 2: questions and options register themselves at first sight', async () => {
    const answers = [
      { questionKey: 'type', questionLabel: 'Type?', optionKey: 'villa', answerLabel: 'Villa' },
      { questionKey: 'areas', optionKey: ['palm', 'marina'], answerLabel: ['Palm', 'Marina'] },
    ];
    await api.create({ quiz: { quizKey: 'first', answers } });
    const arabic = [{ questionKey: 'type', questionLabel: 'النوع؟', optionKey: 'flat' }];
    await api.create({ quiz: { quizKey: 'first', answers: arabic, locale: 'ar' } });
    expect(await catalogueOf('first')).toEqual([
      { question: 'type', options: ['villa', 'flat'] },
      { question: 'areas', options: ['palm', 'marina'] },
    ]);
  });

  test('6 and 7: what cannot be read is kept verbatim, flagged and reported', async () => {
    const answers = [
      { questionKey: 'when', value: '03/04/2026' },
      { questionKey: 'budget', value: 'no preference' },
      { questionKey: 'fine', value: '1.5 million AED' },
      { questionKey: 'odd', value: { nested: [1] } },
    ];
    const lead = await api.create({ quiz: { quizKey: 'flags', answers } });
    expect(lead.intakeUnresolved).toEqual({
      'quiz.flags.when': '03/04/2026',
      'quiz.flags.budget': 'no preference',
      'quiz.flags.odd': { nested: [1] },
    });
    const stored = await answersOf(lead.id);
    expect(stored.map(({ raw }) => raw)).toEqual(answers);
    expect(stored.map(({ flagged }) => flagged)).toEqual([true, true, false, true]);
    expect(stored[2]?.reading).toMatchObject({ kind: 'money', value: '1500000', currency: 'AED' });
  });

  test.each([
    [{}],
    [{ answers: [null, 7, 'text', [], {}, [[]]] }],
    [{ quizKey: ['a'], quizName: {}, answers: [{ questionKey: {}, value: [] }] }],
    [{ quizKey: 'k'.repeat(70_000), answers: [{ questionKey: 'q'.repeat(70_000), value: 'x' }] }],
    [{ quizKey: '__proto__', answers: [{ questionKey: '__proto__', value: '03/04/2026' }] }],
  ])('6: nothing inside a quiz fails the request (case %#)', async (quiz) => {
    expect((await api.create({ quiz })).merged).toBe(false);
  });

  // Random, so that Postgres cannot compress it to the size of an index entry.
  const overLong = randomBytes(2_500).toString('hex');

  test.each(['answerLabel', 'value'])(
    '6: a text longer than its fields take, sent as %s, fails no request and stays with the quiz',
    async (property) => {
      const answers = ['first', 'last', 'ref'].map((questionKey) => ({
        questionKey,
        [property]: overLong,
      }));
      const quiz = { quizKey: 'person', answers };
      const lead = await api.create({ quiz, leadFirstName: null });
      expect((await answersOf(lead.id)).map(({ raw }) => raw)).toEqual(answers);
      expect(await api.lead(lead.id)).toMatchObject({
        lead_first_name: null,
        lead_last_name: null,
        integration_ref: null,
      });
      const short = answers.map((answer) => ({ ...answer, [property]: 'Layla' }));
      await api.update(lead.id, { quiz: { ...quiz, answers: short } });
      await api.update(lead.id, { quiz });
      expect((await api.lead(lead.id)).lead_first_name).toBe('Layla');
    },
  );

  test('a quiz without a key is kept, and has no catalogue', async () => {
    const lead = await api.create({ quiz: { answers: [{ questionKey: 'q', value: '???' }] } });
    expect(await answersOf(lead.id)).toHaveLength(1);
    expect(await catalogueOf('')).toEqual([]);
    expect(lead.intakeUnresolved).toEqual({ 'quiz.-.q': '???' });
  });

  test('an answer mapped to a field fills it where nothing was sent', async () => {
    const quiz = {
      quizKey: 'finder',
      answers: [
        { questionKey: 'budget', value: '1-2 million AED' },
        { questionKey: 'area', optionKey: 'dm', answerLabel: 'Dubai Marina' },
        { questionKey: 'from', answerLabel: 'Website' },
      ],
    };
    const lead = await api.create({ quiz, subSource: ['Chat'] });
    expect(lead).toMatchObject({
      budgetMin: '1000000',
      budgetMax: '2000000',
      currency: { id: 'AED' },
      areaOfInterest: { name: 'Dubai Marina' },
      source: { name: 'Website' },
      subSource: [{ name: 'Chat' }],
      intakeUnresolved: null,
    });
    const sent = await api.create({ quiz, budgetMax: '5', areaOfInterest: 'Palm Jumeirah' });
    expect(sent).toMatchObject({ budgetMin: '1000000', budgetMax: '5' });
    expect(sent.areaOfInterest.name).toBe('Palm Jumeirah');
  });

  test('an answer of an update that is mapped to subSource fills it', async () => {
    const lead = await api.create({ source: 'Website' });
    const answers = [{ questionKey: 'heard', answerLabel: ['Chat', 'Landing Page'] }];
    const quiz = { quizKey: 'finder', answers };
    const update = await api.update(lead.id, { quiz });
    expect(update.updatedFields).toEqual(['quizAnswers', 'subSourceIds']);
    expect(await api.update(lead.id, { quiz })).toMatchObject({ updated: false });
    const other = await api.update(lead.id, { quiz, priority: 'high' });
    expect(other.updatedFields).toEqual(['priority']);
  });

  test('an answer mapped to assignedBy names the owner, by its label or by its value', async () => {
    const answer = { questionKey: 'agent', answerLabel: 'Sara H', value: 'sara@agency.example' };
    const quiz = { quizKey: 'finder', answers: [{ ...answer, optionKey: 'sara' }] };
    expect(await api.create({ quiz })).toMatchObject({
      assignedTo: { email: 'sara@agency.example' },
      assignedBy: { name: 'Sara H' },
      intakeUnresolved: null,
    });
    const sent = await api.create({ quiz, assignedBy: 'omar@agency.example' });
    expect(sent.assignedTo.email).toBe('omar@agency.example');
  });

  test('a numeric quiz key is its digits, everywhere', async () => {
    const answers = [{ questionKey: 'type', optionKey: 'villa' }];
    const lead = await api.create({ quiz: { quizKey: 7, answers } });
    expect(lead.propertyTypeInterest.name).toBe('Villa');
    const again = await api.update(lead.id, { quiz: { quizKey: '7', answers } });
    expect(again).toMatchObject({ updated: false, updatedFields: [] });
  });
});

describe('Quiz limits', () => {
  test('a question is capped at 200 options', async () => {
    const optionKey = (from: number) => Array.from({ length: 150 }, (_none, i) => `o${from + i}`);
    const answers = (from: number) => [{ questionKey: 'many', optionKey: optionKey(from) }];
    await api.create({ quiz: { quizKey: 'options', answers: answers(0) } });
    const lead = await api.create({ quiz: { quizKey: 'options', answers: answers(150) } });
    expect((await catalogueOf('options'))[0]?.options).toHaveLength(200);
    expect(lead.needsIntakeReview).toBe(true);
  });

  test('the limits hold however many submissions arrive at once, and nothing is lost', async () => {
    const prefixes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    await Promise.all(
      prefixes.map((prefix) =>
        api.create({
          quiz: {
            quizKey: 'crowd',
            answers: [
              ...questions(20, prefix),
              { questionKey: 'shared', optionKey: `from-${prefix}` },
            ],
          },
        }),
      ),
    );
    const catalogue = await catalogueOf('crowd');
    expect(catalogue).toHaveLength(100);
    const shared = catalogue.find(({ question }) => question === 'shared');
    expect(shared?.options.sort()).toEqual(prefixes.map((prefix) => `from-${prefix}`));
  });
});

describe('Comments', () => {
  test('without text, with an unreadable date or with a known externalId one is skipped', async () => {
    const lead = await api.create({
      comments: [
        {
          text: 'Kept',
          date: '2026-09-01T10:00:00+04:00',
          author: 'Mona',
          channel: 'chat',
          direction: 'inbound',
          externalId: 'x1',
        },
        { text: '  ' },
        { text: 'When?', date: 'yesterday' },
        { text: 'Twice', channel: 'chat', externalId: 'x1' },
      ],
    });
    expect(lead.comments).toEqual({ added: 1, skipped: 3 });
    const stored = await api.database.query(
      `select text, author, channel, direction, external_id, occurred_at from comments where lead_id = $1`,
      [lead.id],
    );
    expect(stored).toEqual([
      {
        text: 'Kept',
        author: 'Mona',
        channel: 'chat',
        direction: 'inbound',
        external_id: 'x1',
        occurred_at: new Date('2026-09-01T06:00:00Z'),
      },
    ]);
    const comments = [{ text: 'Again', channel: 'chat', externalId: 'x1' }];
    const again = await api.update(lead.id, { comments });
    expect(again).toMatchObject({ updated: false, comments: { added: 0, skipped: 1 } });
  });

  test('an externalId is known per client and channel', async () => {
    const leadPhones = [newPhone()];
    const add = async (channel: string, options: object = {}) => {
      const comments = [{ text: 'One', channel, externalId: 1 }];
      return (await api.create({ leadPhones, comments }, options)).comments.added;
    };
    const other = { client: await api.addClient({ name: 'Other' }) };
    expect([await add('chat'), await add('chat'), await add('sms')]).toEqual([1, 0, 1]);
    expect([await add('chat', other), await add('chat', other)]).toEqual([1, 0]);
  });
});
