import { readQuiz } from '../../../domain/quiz/answer.ts';
import type { Reading } from '../../../domain/quiz/reading.ts';

const read = (...answers: unknown[]) => readQuiz({ quizKey: 'finder', answers }).answers;
const reading = (entry: object): Reading | undefined =>
  read({ questionKey: 'q', ...entry })[0]?.reading;

describe('An answer entry has two published spellings', () => {
  it.each([
    [{ questionKey: 'q', questionLabel: 'Area?', optionKey: 'marina', answerLabel: 'Marina' }],
    [{ questionKey: 'q', label: 'Area?', optionKeys: ['marina'], answerLabel: ['Marina'] }],
    [
      {
        questionKey: ' q ',
        questionLabel: 'Area?',
        label: '',
        optionKey: ['marina', 'marina', ''],
        answerLabel: 'Marina',
      },
    ],
  ])('%j', (entry) => {
    expect(read(entry)[0]).toMatchObject({
      questionKey: 'q',
      questionLabel: 'Area?',
      optionKeys: ['marina'],
      answerLabels: ['Marina'],
      raw: entry,
      readable: true,
      reading: { kind: 'choice', rule: 'choice', flagged: false },
    });
  });
});

describe('Invisible characters', () => {
  it('make no other key', () => {
    const quiz = readQuiz({
      quizKey: '\u200ffinder\u200b',
      answers: [{ questionKey: '\u200f q\u200b', optionKey: ['\u200emarina', 'marina'] }],
    });
    expect(quiz).toMatchObject({
      quizKey: 'finder',
      answers: [{ questionKey: 'q', optionKeys: ['marina'] }],
    });
  });

  it('are kept within a label, where they join its letters', () => {
    const label = 'علی\u200cرضا';
    expect(read({ questionKey: 'q', answerLabel: label })[0]?.answerLabels).toEqual([label]);
  });

  it('count for nothing in a currency', () => {
    expect(reading({ value: 5, currency: '\u200fZAR' })).toMatchObject({ currency: 'ZAR' });
  });
});

describe('The reading of an answer', () => {
  it('with an option key it is a choice and never flagged, whatever the value', () => {
    expect(reading({ optionKey: 'a', value: 'no preference' })).toMatchObject({
      kind: 'choice',
      optionKeys: ['a'],
      flagged: false,
    });
  });

  it('a JSON number is that number', () => {
    expect(reading({ value: 1500000 })).toMatchObject({
      kind: 'number',
      value: '1500000',
      rule: 'json_number',
      raw: 1500000,
    });
    expect(reading({ value: -0 })).toMatchObject({ value: '0' });
    expect(reading({ value: 0.1 })).toMatchObject({ value: '0.1' });
  });

  it.each([1e300, 2 ** 53, 1e-9])(
    'a JSON number that is not exact, %d, is kept and flagged',
    (value) => {
      expect(reading({ value })).toMatchObject({ kind: 'unread', raw: value, flagged: true });
    },
  );

  it('a JSON boolean is yes or no', () => {
    expect(reading({ value: true })).toMatchObject({ kind: 'yes_no', value: true });
    expect(reading({ value: false })).toMatchObject({ kind: 'yes_no', value: false });
  });

  it.each([[{ a: 1 }], [['2 million']]])(
    'a value of another type, %j, is kept and flagged',
    (value) => {
      expect(reading({ value })).toMatchObject({ kind: 'unread', raw: value, flagged: true });
    },
  );

  it('only a label is a text, kept and not flagged', () => {
    expect(reading({ answerLabel: ['Pool', 'Gym'] })).toMatchObject({
      kind: 'text',
      text: 'Pool, Gym',
      rule: 'label',
      flagged: false,
    });
  });

  it('a value wins over a label', () => {
    expect(reading({ answerLabel: 'Two', value: '2' })).toMatchObject({
      kind: 'number',
      value: '2',
    });
  });

  it.each([
    {},
    { value: null },
    { value: '  ' },
    { value: '', answerLabel: [] },
    { value: '\u200b \u200f', answerLabel: ['\u200b', '\ufeff '], optionKey: '\u200e' },
  ])('an answer left blank, %j, is kept and not flagged', (entry) => {
    expect(reading(entry)).toMatchObject({ kind: 'blank', flagged: false });
  });

  it.each([
    null,
    5,
    'text',
    [1],
    {},
    { value: '2' },
    { questionKey: {}, label: ' ' },
    { questionKey: '\u200b', label: '\u200f' },
  ])(
    'an entry that is no object or names no question, %j, is kept as it came and flagged',
    (entry) => {
      expect(read(entry)[0]).toMatchObject({
        raw: entry,
        readable: false,
        reading: { kind: 'unread', reason: 'entry_unreadable', raw: entry, flagged: true },
      });
    },
  );

  it('answers that are no list are taken as their only entry', () => {
    const { answers } = readQuiz({ quizKey: 'finder', answers: { a: 1 } });
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({ readable: false, raw: { a: 1 } });
    expect(readQuiz({ quizKey: 'finder' }).answers).toEqual([]);
    expect(readQuiz(null).answers).toEqual([]);
  });
});

describe("The answer's own currency", () => {
  it.each([
    [{ value: 500000, currency: 'AED' }, 'number', 'AED', 'AED'],
    [{ value: '500k', currency: 'usd' }, 'number', 'USD', 'usd'],
    [{ value: '1-2 million', currency: 'درهم' }, 'range', 'AED', 'درهم'],
    [{ value: '$500k', currency: 'AED' }, 'money', 'USD', '$'],
    [{ value: 'مليون ريال', currency: 'QAR' }, 'money', 'QAR', 'ريال'],
    [{ value: '500k', currency: 'shells' }, 'number', null, 'shells'],
  ])('counts where the text names none: %j', (entry, kind, currency, currencyWord) => {
    expect(reading(entry)).toMatchObject({ kind, currency, currencyWord });
  });

  it('is ignored for an amount with a unit, and for what is no amount', () => {
    expect(reading({ value: '3 bedrooms', currency: 'AED' })).toMatchObject({ currency: null });
    expect(reading({ value: 'yes', currency: 'AED' })).not.toHaveProperty('currency');
  });
});
