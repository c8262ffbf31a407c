import fc from 'fast-check';
import { LookupList, lookupKey } from '../../../../domain/catalogue/lookups/lookup-list.ts';

/** The ways to write a character, of which each looks the same or stands for the others. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  ' ': [' ', '  ', '\u00a0', '\u2003', '\t', '&nbsp;', '&#160;', ' \u200f'],
  '-': ['-', '–', '—', '‑', '−', '&ndash;', '－'],
  "'": ["'", '’', '&#039;', '&rsquo;'],
  '&': ['&', '&amp;', '&amp;amp;', '＆'],
  '1': ['1', '١', '１', '&#49;'],
  e: ['e', 'E', 'ｅ', '&#101;'],
  é: ['é', 'É', 'e\u0301', '&eacute;'],
  ا: ['ا', 'أ', 'إ', 'آ', 'ﺍ', 'اـ', '&#1575;'],
  ي: ['ي', 'ى', 'ی', 'ﻳ', 'يّ', '&#x64A;'],
  ه: ['ه', 'ة', 'ﻪ', 'هـ'],
  ك: ['ك', 'ک', 'ﻛ'],
};

const writtenAs = (text: string) =>
  fc
    .tuple(...[...text].map((each) => fc.constantFrom(...(WAYS[each] ?? [each]))))
    .map((written) => written.join(''));

const words = fc
  .array(fc.stringMatching(/^[b-dé1e'&ايهكدبـ-]{1,5}$/u), { minLength: 1, maxLength: 3 })
  .map((each) => each.join(' '));

test('a record is found however its name is spelled, and never another one', () => {
  const run = fc.property(
    fc.uniqueArray(words, { minLength: 1, maxLength: 8, selector: lookupKey }).chain((names) =>
      fc.tuple(
        fc.constant(names),
        fc
          .nat(names.length - 1)
          .chain((at) => fc.tuple(fc.constant(at), writtenAs(names[at] ?? ''))),
      ),
    ),
    ([names, [at, written]]) => {
      const list = new LookupList(
        names.map((name, index) => ({ entry: { id: String(index), name }, texts: [[name]] })),
      );
      expect(list.resolve(` ${written}&nbsp;`)?.id).toBe(String(at));
      expect(lookupKey(lookupKey(written))).toBe(lookupKey(written));
    },
  );
  fc.assert(run, { numRuns: 500 });
});

test('any two texts find the same record only if they have one key', () => {
  const run = fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
    const list = new LookupList([{ entry: { id: 'a', name: a }, texts: [[a]] }]);
    expect(list.resolve(b) !== null).toBe(lookupKey(a) === lookupKey(b));
  });
  fc.assert(run);
});

test('what becomes ambiguous stays unresolved', () => {
  const list = new LookupList(
    ['علي', 'على'].map((name) => ({ entry: { id: name, name }, texts: [[name]] })),
  );
  expect(list.resolve('علي')).toBeNull();
});
