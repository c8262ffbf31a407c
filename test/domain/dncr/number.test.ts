import fc from 'fast-check';
import { readNumber } from '../../../domain/dncr/number.ts';

const mobile = (input: string) => {
  const reading = readNumber(input);
  return reading.kind === 'mobile' ? reading.number : reading.error;
};
const same = { phone: '0501234567', e164: '+971501234567' };

describe('a number', () => {
  test.each([
    ['050\u2011123\u22124567'],
    ['\t0501234567\n'],
    ['05\u200B01234567'],
    ['\u202a+971501234567\u202c'],
    ['٠٥٠١٢٣٤٥٦٧'],
    ['+۹۷۱ ۵۰ ۱۲۳ ۴۵۶۷'],
    ['050\u00AD1234567'],
  ])('%j is read in each of its forms, spaces and dashes ignored', (input) => {
    expect(mobile(input)).toEqual(same);
  });

  test.each([
    [''],
    ['041234567'],
    ['050123456'],
    ['05012345678'],
    ['0971501234567'],
    ['+0501234567'],
    ['+501234567'],
    ['+447911123456'],
    ['(050)1234567'],
    ['0501234567x'],
  ])('%j is no UAE mobile', (input) => {
    expect(mobile(input)).toBe('Not a UAE mobile number.');
  });

  test('that is well formed counts whatever its prefix: prefixes move', () => {
    for (const prefix of ['051', '053', '057', '059'])
      expect(mobile(`${prefix}1234567`)).toEqual({
        phone: `${prefix}1234567`,
        e164: `+971${prefix.slice(1)}1234567`,
      });
  });

  test('of more than 64 characters is invalid', () => {
    expect(mobile(`0501234567${' '.repeat(54)}`)).toEqual(same);
    expect(mobile(`0501234567${' '.repeat(55)}`)).toBe('Longer than 64 characters.');
  });

  test('is the same in every form with separators anywhere', () => {
    const prefix = fc.constantFrom('+971', '00971', '971', '0', '');
    const digits = fc.stringMatching(/^5\d{8}$/);
    const gaps = fc.array(fc.constantFrom('', ' ', '-', '\u2013', '\u00A0'), {
      minLength: 14,
      maxLength: 14,
    });
    fc.assert(
      fc.property(prefix, digits, gaps, (start, rest, between) => {
        const sent = [...(start + rest)].map((sign, at) => sign + (between[at] ?? '')).join('');
        expect(mobile(sent)).toEqual({ phone: `0${rest}`, e164: `+971${rest}` });
      }),
    );
  });

  test('never makes the reading fail, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (input) => {
        expect(['mobile', 'invalid']).toContain(readNumber(input).kind);
      }),
    );
  });
});
