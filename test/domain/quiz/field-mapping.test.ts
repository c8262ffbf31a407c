import { mapAnswersToFields } from '../../../domain/quiz/field-mapping.ts';
import { readQuiz } from '../../../domain/quiz/answer.ts';

type Answer = Record<string, unknown>;

function mapped(fieldOf: Record<string, string>, answers: Answer[], quizKey = 'finder') {
  const quizFields = Object.entries(fieldOf).map(([questionKey, field]) => ({
    quizKey: 'finder',
    questionKey,
    field,
  }));
  const mappedFields = mapAnswersToFields(readQuiz({ quizKey, answers }), quizFields);
  const { values, alternatives, openEnds } = mappedFields;
  return {
    values: Object.fromEntries(values),
    alternatives: Object.fromEntries(alternatives),
    openEnds,
  };
}

const budget = (answer: Answer) =>
  mapped({ q: 'budget' }, [{ questionKey: 'q', ...answer }]).values;

describe('A question mapped to budget', () => {
  it.each<[Answer, Record<string, string>]>([
    [{ value: '1-2 million' }, { budgetMin: '1000000', budgetMax: '2000000' }],
    [
      { value: 'من مليون إلى مليونين درهم' },
      { budgetMin: '1000000', budgetMax: '2000000', currency: 'AED' },
    ],
    [{ value: '2 million' }, { budgetMax: '2000000' }],
    [{ value: 2500000.5 }, { budgetMax: '2500000.5' }],
    [{ value: '2M AED' }, { budgetMax: '2000000', currency: 'AED' }],
    [
      { value: 900000, currency: 'USD' },
      { budgetMax: '900000', currency: 'USD' },
    ],
    [{ value: 'up to 3m' }, { budgetMax: '3000000' }],
    [{ value: '2m+' }, { budgetMin: '2000000' }],
    [{ value: 'مليون ريال' }, { budgetMax: '1000000' }],
    [
      { optionKey: 'mid', answerLabel: 'AED 1 - 2 million' },
      { budgetMin: '1000000', budgetMax: '2000000', currency: 'AED' },
    ],
    [{ optionKey: 'mid', answerLabel: 'Up to a villa', value: 2000000 }, { budgetMax: '2000000' }],
    [
      { optionKey: 'mid', answerLabel: '1-2m', value: 2 },
      { budgetMin: '1000000', budgetMax: '2000000' },
    ],
    [{ answerLabel: '800k' }, { budgetMax: '800000' }],
    [{ value: '1_to_2_million' }, { budgetMin: '1000000', budgetMax: '2000000' }],
    [{ answerLabel: '1_to_2_million' }, { budgetMin: '1000000', budgetMax: '2000000' }],
    [{ optionKey: '1_to_2_million' }, { budgetMin: '1000000', budgetMax: '2000000' }],
    [{ optionKey: '500,000_-_1,000,000' }, { budgetMin: '500000', budgetMax: '1000000' }],
    [{ optionKey: 'under_1m_aed' }, { budgetMax: '1000000', currency: 'AED' }],
  ])('fills both ends from a range and the maximum from one number: %j', (answer, values) => {
    expect(budget(answer)).toEqual(values);
  });

  it.each<[Answer]>([
    [{ value: 'no preference' }],
    [{ value: '3 bedrooms' }],
    [{ value: -5 }],
    [{ value: '15 March 2026' }],
    [{ optionKey: '3', answerLabel: 'Any' }],
    [{ optionKey: '3' }],
    [{ optionKey: '1-2' }],
    [{ optionKey: 'option_3' }],
    [{ optionKey: '2m', answerLabel: 'Any' }],
    [{ optionKey: ['1m', '2m'] }],
    [{ optionKey: ['a', 'b'], answerLabel: ['1m', '2m'] }],
  ])('is left alone by %j', (answer) => {
    expect(budget(answer)).toEqual({});
  });

  it.each<[Answer, string[]]>([
    [{ value: '1-2 million' }, []],
    [{ value: '3m+' }, ['budgetMax']],
    [{ value: 'up to 3m' }, ['budgetMin']],
    [{ value: '3m' }, ['budgetMin']],
    [{ value: 'no preference' }, []],
  ])('leaves an end open where the amount has none: %j', (answer, openEnds) => {
    expect(mapped({ q: 'budget' }, [{ questionKey: 'q', ...answer }]).openEnds).toEqual(openEnds);
  });

  it('leaves no end open that another question fills', () => {
    const answers = [
      { questionKey: 'q', value: 'up to 2m' },
      { questionKey: 'low', value: '1m' },
    ];
    expect(mapped({ q: 'budget', low: 'budgetMin' }, answers).openEnds).toEqual([]);
    const open = [{ questionKey: 'low', value: 'up to 2m' }];
    expect(mapped({ low: 'budgetMin' }, open).openEnds).toEqual(['budgetMin']);
  });

  it('leaves the currency to a question of its own', () => {
    const answers = [
      { questionKey: 'q', value: '2m AED' },
      { questionKey: 'c', answerLabel: 'US dollars', optionKey: 'usd' },
    ];
    expect(mapped({ q: 'budget', c: 'currency' }, answers).values).toEqual({
      budgetMax: '2000000',
      currency: 'USD',
    });
  });

  it('takes one bound from a question about one bound', () => {
    const answers = [
      { questionKey: 'low', value: '1m' },
      { questionKey: 'high', value: 'up to 2m' },
    ];
    expect(mapped({ low: 'budgetMin', high: 'budgetMax' }, answers).values).toEqual({
      budgetMin: '1000000',
      budgetMax: '2000000',
    });
    expect(
      mapped({ low: 'budgetMin' }, [{ questionKey: 'low', value: 'up to 2m' }]).values,
    ).toEqual({});
  });

  it.each<[Record<string, string>, Answer[], Record<string, string>]>([
    [
      { high: 'budgetMax' },
      [{ questionKey: 'high', value: 'USD 3m' }],
      { budgetMax: '3000000', currency: 'USD' },
    ],
    [
      { low: 'budgetMin', high: 'budgetMax' },
      [
        { questionKey: 'low', value: 1000000, currency: 'USD' },
        { questionKey: 'high', value: '3m' },
      ],
      { budgetMin: '1000000', budgetMax: '3000000', currency: 'USD' },
    ],
    [
      { low: 'budgetMin', high: 'budgetMax' },
      [
        { questionKey: 'low', value: 'AED 1m' },
        { questionKey: 'high', value: 'USD 3m' },
      ],
      {},
    ],
    [
      { q: 'budget', high: 'budgetMax' },
      [
        { questionKey: 'q', value: 'AED 1m' },
        { questionKey: 'high', value: 'USD 3m' },
      ],
      { budgetMax: '3000000', currency: 'USD' },
    ],
    [
      { high: 'budgetMax', c: 'currency' },
      [
        { questionKey: 'high', value: 'USD 3m' },
        { questionKey: 'c', value: 'EUR' },
      ],
      { budgetMax: '3000000', currency: 'EUR' },
    ],
    [{ low: 'budgetMin' }, [{ questionKey: 'low', value: 'up to USD 3m' }], {}],
  ])('takes the currency of the amounts used, if it is one: %j %j', (fieldOf, answers, values) => {
    expect(mapped(fieldOf, answers).values).toEqual(values);
  });
});

describe('A question mapped to any other field', () => {
  it('is not answered by invisible characters, and found behind them', () => {
    const name = (answer: Answer) => mapped({ q: 'leadFirstName' }, [answer]).values;
    expect(name({ questionKey: 'q', answerLabel: '​' })).toEqual({});
    expect(name({ questionKey: '‏q', answerLabel: 'Layla' })).toEqual({ leadFirstName: 'Layla' });
    const answers = [{ questionKey: 'نام\u200cکوچک', answerLabel: 'Layla' }];
    expect(mapped({ 'نام\u200cکوچک': 'leadFirstName' }, answers).values).toEqual({
      leadFirstName: 'Layla',
    });
  });

  it('gives the text to be looked up: the label, else the value, else the option key', () => {
    const field = { q: 'areaOfInterest' };
    const entry = (answer: Answer) => mapped(field, [{ questionKey: 'q', ...answer }]);
    expect(entry({ optionKey: 'marina', answerLabel: 'دبي مارينا' })).toMatchObject({
      values: { areaOfInterest: 'دبي مارينا' },
      alternatives: { areaOfInterest: ['marina'] },
    });
    expect(entry({ value: 'Dubai Marina' }).values).toEqual({ areaOfInterest: 'Dubai Marina' });
    expect(entry({ optionKey: 'marina' }).values).toEqual({ areaOfInterest: 'marina' });
    expect(entry({ optionKey: 'dubai_marina' })).toMatchObject({
      values: { areaOfInterest: 'dubai_marina' },
      alternatives: { areaOfInterest: ['dubai marina'] },
    });
    expect(entry({ value: '' }).values).toEqual({});
  });

  it('fills a list with each text, and one from several answers', () => {
    const answers = [
      { questionKey: 'q', optionKey: ['ar', 'en'], answerLabel: ['Arabic', 'English'] },
      { questionKey: 'q', value: 'French' },
    ];
    expect(mapped({ q: 'languages' }, answers).values).toEqual({
      languages: ['Arabic', 'English', 'French'],
    });
  });

  it('takes the first answer that has a value', () => {
    const answers = [
      { questionKey: 'q', value: null },
      { questionKey: 'q', value: 'Villa' },
      { questionKey: 'q', value: 'Apartment' },
    ];
    expect(mapped({ q: 'propertyTypeInterest' }, answers).values).toEqual({
      propertyTypeInterest: 'Villa',
    });
  });

  it('has no value from an answer that is longer than the field takes, nor from its option key', () => {
    const answers = [
      { questionKey: 'q', answerLabel: 'x'.repeat(256), optionKey: 'a' },
      { questionKey: 'q', answerLabel: '😀'.repeat(255) },
    ];
    expect(mapped({ q: 'leadFirstName' }, answers.slice(0, 1)).values).toEqual({});
    expect(mapped({ q: 'leadFirstName' }, answers).values).toEqual({
      leadFirstName: '😀'.repeat(255),
    });
    expect(mapped({ q: 'initialInquiry' }, answers).values).toEqual({
      initialInquiry: 'x'.repeat(256),
    });
  });

  it('gives a list every text of an answer, whose length does not count', () => {
    const answers = [
      { questionKey: 'q', answerLabel: 'Dirhams of the Emirates', optionKey: 'AED' },
    ];
    expect(mapped({ q: 'currency' }, answers)).toMatchObject({
      values: { currency: 'Dirhams of the Emirates' },
      alternatives: { currency: ['AED'] },
    });
  });

  it('is scoped to its quiz, by key, and to fields that there are', () => {
    const answers = [
      { questionKey: 'q', value: 'Villa' },
      { label: 'q', value: 'Villa' },
    ];
    expect(mapped({ q: 'propertyTypeInterest' }, answers, 'other').values).toEqual({});
    expect(mapped({ x: 'propertyTypeInterest' }, answers).values).toEqual({});
    expect(mapped({ q: 'shoeSize' }, answers).values).toEqual({});
  });
});
