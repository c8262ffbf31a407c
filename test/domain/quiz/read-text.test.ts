import { MAX_TEXT_LENGTH, readText } from '../../../domain/quiz/answer.ts';
import { PARSER_VERSION } from '../../../domain/quiz/reading.ts';
import { YES_NO } from '../../../domain/quiz/read-yes-no.ts';
import { ANSWERS } from './answers.table.ts';
import { describeReading } from './describe-reading.ts';

const RESIDENTS = [
  'English',
  'Arabic',
  'French',
  'Russian',
  'Chinese',
  'Hindi',
  'Urdu',
  'German',
  'Spanish',
  'Italian',
  'Turkish',
  'Persian',
];

for (const [rule, rows] of Object.entries(ANSWERS))
  describe(`Quiz answers, ${rule}`, () => {
    it.each(rows)('reads "%s" as %s', (text, expected) => {
      expect(describeReading(readText(text))).toBe(expected);
    });
  });

describe('The table of answers', () => {
  it('has at least 300 of them, none twice', () => {
    const texts = Object.values(ANSWERS).flatMap((rows) => rows.map(([text]) => text));
    expect(texts.length).toBeGreaterThanOrEqual(300);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('The words for yes and no', () => {
  it('never mean yes in one language and no in another', () => {
    const wordsOf = (side: 'yes' | 'no') =>
      Object.values(YES_NO).flatMap((words) => words[side].split('|'));
    for (const word of wordsOf('yes'))
      expect([word, describeReading(readText(word))]).toEqual([word, 'yes']);
    for (const word of wordsOf('no'))
      expect([word, describeReading(readText(word))]).toEqual([word, 'no']);
  });

  it('cover the languages of the residents', () => {
    const languages = Object.keys(YES_NO);
    for (const language of RESIDENTS) expect(languages).toContain(language);
  });
});

describe('A currency code that is a word', () => {
  it.each(['try 5', 'Try 5', '5 kgs', 'btn 1m and 2m', 'all 3', '50 lak'])(
    'is no currency unless in capitals: "%s"',
    (text) => {
      expect(readText(text)).toMatchObject({ kind: 'unread', flagged: true });
    },
  );
});

describe('Each reading keeps its source', () => {
  it('keeps the raw text, the rule that read it and the parser version', () => {
    const text = '  AED 1-2 Million ';
    expect(readText(text)).toMatchObject({
      raw: text,
      rule: 'range',
      parserVersion: PARSER_VERSION,
      flagged: false,
    });
  });

  it('keeps a text that nothing can read, word for word, and flags it', () => {
    expect(readText('no preference')).toMatchObject({
      kind: 'unread',
      raw: 'no preference',
      rule: 'none',
      flagged: true,
    });
  });

  it('keeps currency words apart from the number', () => {
    expect(readText('500 الف درهم')).toMatchObject({
      kind: 'money',
      value: '500000',
      currency: 'AED',
      currencyWord: 'درهم',
    });
    expect(readText('1 million ريال')).toMatchObject({ currency: null, currencyWord: 'ريال' });
  });

  it('does not read a text longer than any answer', () => {
    expect(readText('1'.repeat(MAX_TEXT_LENGTH + 1))).toMatchObject({
      kind: 'unread',
      reason: 'too_long',
      flagged: true,
    });
  });
});
