import fc from 'fast-check';
import { phraseOf } from '../../../domain/quiz/phrase.ts';
import { readQuiz, readPhrase, readText } from '../../../domain/quiz/answer.ts';
import { CURRENCY_CODES } from '../../../domain/quiz/locale-names.ts';
import { ANSWERS } from './answers.table.ts';
import { describeReading } from './describe-reading.ts';

const ROWS = Object.values(ANSWERS).flat();
const READ_ROWS = ROWS.filter(([, expected]) => expected !== 'flagged');
const WORDS = [...new Set(ROWS.flatMap(([text]) => text.split(/\s+/u)))];
const DECIMAL = /^-?\d+(\.\d+)?$/u;

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);
const likelyText = fc
  .array(
    fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom('-', 'to', 'and', 'و', 'الى', '1', '2')),
    { maxLength: 8 },
  )
  .chain((words) => fc.constantFrom(' ', '').map((gap) => words.join(gap)));

describe('A quiz never fails a request', () => {
  it('takes any JSON at all', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const quizzes = [readQuiz(json), readQuiz({ quizKey: json, answers: json })];
        const entries = readQuiz({ answers: [json, { questionKey: 'q', value: json }] });
        expect(() => JSON.stringify([quizzes, entries])).not.toThrow();
        expect(entries.answers).toHaveLength(2);
        expect(entries.answers[0]?.raw).toEqual(json);
      }),
    );
  });

  it('takes any text at all, and keeps it', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, likelyText), (text) => {
        const reading = readText(text);
        expect(reading.raw).toBe(text);
        expect(reading.flagged).toBe(reading.kind === 'unread');
        expect(readText(text)).toEqual(reading);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('What is read is certain', () => {
  it('a range has its ends in order, and every number is plain decimal text', () => {
    fc.assert(
      fc.property(likelyText, (text) => {
        const reading = readText(text);
        if (reading.kind === 'number' || reading.kind === 'money')
          expect(reading.value).toMatch(DECIMAL);
        if (reading.kind !== 'range') return;
        const { min, max } = reading;
        for (const end of [min, max]) if (end !== null) expect(end).toMatch(DECIMAL);
        if (min !== null && max !== null) expect(Number(min)).toBeLessThanOrEqual(Number(max));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['zzz', 'or not', '?', 'شيء'])(
    'anything left over, such as "%s", leaves it unread',
    (rest) => {
      for (const [text] of READ_ROWS)
        expect(describeReading(readText(`${text} ${rest}`))).toBe('flagged');
    },
  );

  it('the same answer in another script of digits has the same reading', () => {
    for (const script of ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹'])
      for (const [text, expected] of ROWS) {
        const written = text.replace(/[0-9]/gu, (digit) => script[Number(digit)] ?? digit);
        expect([written, describeReading(readText(written))]).toEqual([written, expected]);
      }
  });

  it('capitals, direction marks and spaces around it make no difference', () => {
    for (const [text, expected] of ROWS)
      for (const written of [text.toUpperCase(), `\u200f${text}\u200e`, `  ${text}\n`])
        expect([written, describeReading(readText(written))]).toEqual([written, expected]);
  });
});

describe('Two amounts are never added up', () => {
  const scales = [
    ['k', 1e3],
    ['thousand', 1e3],
    ['ألف', 1e3],
    ['lakh', 1e5],
    ['m', 1e6],
    ['million', 1e6],
    ['مليون', 1e6],
    ['crore', 1e7],
    ['bn', 1e9],
  ] as const;
  const amount = fc.record({
    tenths: fc.integer({ min: 1, max: 9_999 }),
    scale: fc.constantFrom(...scales),
  });
  const joins = fc.constantFrom(' ', ' and ', ' & ', ' و ', '. ', ' .', '..', ', ');

  it('unless the second is a part of one more of the first, whose count is whole', () => {
    fc.assert(
      fc.property(amount, amount, joins, (first, second, join) => {
        const [left, right] = [first, second].map(({ tenths, scale }) => ({
          text: `${String(tenths / 10)} ${scale[0]}`,
          value: (tenths * scale[1]) / 10,
        }));
        const text = `${left?.text ?? ''}${join}${right?.text ?? ''}`;
        const said = describeReading(readText(text));
        const sum = (left?.value ?? 0) + (right?.value ?? 0);
        const isPart =
          first.tenths % 10 === 0 &&
          second.scale[1] < first.scale[1] &&
          (right?.value ?? 0) < first.scale[1];
        const allowed = ['flagged', `range ${String(left?.value)}..${String(right?.value)}`];
        if (isPart && !join.includes('..') && join !== ' .') allowed.push(`number ${String(sum)}`);
        expect([text, allowed]).toEqual([text, expect.arrayContaining([said])]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('nor is a number added to thousands written as k', () => {
    const numbers = fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 999 }));
    fc.assert(
      fc.property(numbers, joins, ([thousands, rest], join) => {
        const text = `${String(thousands)}k${join}${String(rest)}`;
        expect([text, describeReading(readText(text))]).toEqual([text, 'flagged']);
      }),
    );
  });
});

const LARGEST = 999_999_999_999;

describe('A number written for people reads back as the number', () => {
  const separators = [',', ' ', '\u00a0', '\u2009', '\u202f', "'", '’', '٬', '،'];
  const scripts = ['0123456789', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹'];

  it('in three scripts, with every separator of thousands', () => {
    const number = fc.integer({ min: 0, max: LARGEST });
    const form = fc.record({
      separator: fc.constantFrom(...separators),
      script: fc.constantFrom(...scripts),
    });
    fc.assert(
      fc.property(number, form, (value, { separator, script }) => {
        const text = inScript(grouped(String(value), separator), script);
        expect([text, describeReading(readText(text))]).toEqual([text, `number ${String(value)}`]);
      }),
    );
  });

  it('in Indian groups, with decimals, and under a scale word', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: LARGEST }),
        fc.constantFrom(...scripts),
        (value, script) => {
          const indian = inScript(new Intl.NumberFormat('en-IN').format(value), script);
          expect(describeReading(readText(indian))).toBe(`number ${String(value)}`);
          const cents = inScript(`${grouped(String(value), ',')}.25`, script);
          if (value < 1_000 || value >= 1_000_000)
            expect(describeReading(readText(cents))).toBe(`number ${String(value)}.25`);
          const millions = inScript(`${String(value % 100_000)}.5 million`, script);
          expect(describeReading(readText(millions))).toBe(
            `number ${String((value % 100_000) * 1e6 + 5e5)}`,
          );
        },
      ),
    );
  });

  it('and as an amount of money beside its currency', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: LARGEST }), fc.boolean(), (value, before) => {
        const digits = grouped(String(value), ',');
        const text = before ? `AED ${digits}` : `${digits} درهم`;
        expect(describeReading(readText(text))).toBe(`money ${String(value)} AED`);
      }),
    );
  });
});

describe('A day that Intl writes in a common language reads back as the day', () => {
  const languages =
    'en ar ar-SY ar-DZ ar-MA bn de es fa fil fr hi it ja ko nl pl pt ru tr uk ur zh';

  it.each(languages.split(' '))('in %s', (language) => {
    const days = fc.date({
      min: new Date('1950-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    const styles = fc.constantFrom('long', 'full');
    fc.assert(
      fc.property(days, styles, (day, dateStyle) => {
        const options = { dateStyle, timeZone: 'UTC', calendar: 'gregory' } as const;
        const text = new Intl.DateTimeFormat(language, options).format(day);
        const date = `date ${day.toISOString().slice(0, 10)}`;
        expect([text, describeReading(readText(text))]).toEqual([text, date]);
      }),
    );
  });
});

describe('An amount with the code of a currency', () => {
  it.each([...CURRENCY_CODES])('is money in it: %s', (code) => {
    for (const text of [`${code} 1,500`, `1,500 ${code}`, `1500${code}`])
      expect(describeReading(readText(text))).toBe(`money 1500 ${code}`);
  });
});

describe('Reading takes time in proportion to the length of the text', () => {
  const repeated = [
    'and ',
    '1 and ',
    'between 1 and ',
    '1,',
    '1 000 ',
    '1',
    '-',
    '1-',
    'و',
    'million ',
    'half a ',
    'a ',
    '2 million ',
    'approx ',
    'up to ',
    '. ',
    '½',
    ' ',
    '\u0301',
    'ﷺ',
    '١٬',
    'من ',
    'one hundred and ',
    '1k ',
    'm²',
    '/',
    'jan ',
    'no ',
    '0',
  ];
  const [small, large] = [4_000, 32_000];

  /** Eight times the text takes about eight times as long; quadratic work would take sixty-four. */
  it.each(repeated)('for "%s" over and over', (piece) => {
    const times = [small, large].map((length) => {
      const text = `between ${piece.repeat(Math.ceil(length / piece.length))}`;
      return Math.min(...Array.from({ length: 7 }, () => timeOf(() => readPhrase(phraseOf(text)))));
    });
    const [short = 0, long = 0] = times;
    expect(long).toBeLessThan(Math.max(short, 0.5) * 40);
  });
});

/** Milliseconds of the processor: those in which this process had to wait for it do not count. */
function timeOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function grouped(digits: string, separator: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/gu, separator);
}

function inScript(text: string, script: string): string {
  return text.replace(/[0-9]/gu, (digit) => script[Number(digit)] ?? digit);
}
